import type { EpochMs } from '#contract/ids.ts'
import type { Room, Up } from '#contract/live.ts'
import type { Message } from '#contract/messages.ts'
import type { PhoneState } from '#contract/phone.ts'
import type { Fix } from '#contract/positions.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import type { ServerClock } from './clock.ts'
import type { Line } from './line.ts'
import { type DueReceipt, DueReceipts } from './receipts.ts'

export type OnRefused = (code: RefusalCode) => void
/** How the phone is, as of the moment it is said: until a server spoke its clock is only guessed. */
export type SayPhone = () => Omit<PhoneState, 'drivingSince' | 'count'>

// A fix that would wait behind this much is left out: a newer one comes in a second.
const fixBacklogBytes = 1024

/** This device as the phone in the car: the wish outlives lost lines, and so do receipts. */
export class Driving {
  readonly #line: Line
  readonly #receipts = new DueReceipts()
  readonly #listeners = new Set<() => void>()
  readonly #clock: ServerClock
  #wish: { readonly sessionId: string; readonly onRefused: OnRefused } | null = null
  /** When the newest wish began, by the server's clock; none before a line was there. */
  #since: EpochMs | null = null
  #phone: SayPhone | null = null
  #phoneCount = 0
  /** The server took this line as the phone in the car: before that it would refuse fixes. */
  #accepted = false

  constructor(line: Line, clock: ServerClock) {
    this.#line = line
    this.#clock = clock
  }

  /** The room of the driven session, if any. */
  get room(): Room | null {
    return this.#wish && `session:${this.#wish.sessionId}`
  }

  /** Wants to drive from now on. The result undoes it and says whether it still had an effect. */
  begin(sessionId: string, onRefused: OnRefused): () => boolean {
    const wish = { sessionId, onRefused }
    this.#wish = wish
    this.#since = null
    this.ask()
    return () => {
      if (this.#wish !== wish) return false
      this.#wish = null
      this.#accepted = false
      this.#receipts.drop(sessionId)
      this.#line.send({ t: 'park' })
      return true
    }
  }

  onAccepted(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Asks the server, on a new line or once more. */
  ask() {
    this.#accepted = false
    if (!this.#wish || this.#line.state !== 'open') return
    this.#since ??= this.#clock.now()
    this.#line.send({ t: 'drive', session: this.#wish.sessionId, since: this.#since })
  }

  /** A drive screen that was opened at this time counts: true if that is another one, and this one is over. */
  yieldTo(since: EpochMs): boolean {
    if (!this.#wish || this.#since === null || since <= this.#since) return false
    const { onRefused, sessionId } = this.#wish
    this.#wish = null
    this.#accepted = false
    this.#receipts.drop(sessionId)
    this.#line.send({ t: 'park' })
    onRefused('driven-elsewhere')
    return true
  }

  /** The answer is a snapshot of the session's room. */
  accept() {
    if (this.#accepted) return
    this.#accepted = true
    this.#sayPhone()
    for (const listener of this.#listeners) listener()
  }

  refuse(code: RefusalCode) {
    if (!this.#wish) return
    this.#receipts.drop(this.#wish.sessionId)
    this.#wish.onRefused(code)
  }

  sendFix({ at, latitude, longitude, speedKmh, accuracyM }: Fix): boolean {
    if (!this.#accepted || this.#line.backlogBytes > fixBacklogBytes) return false
    return this.#line.send({
      t: 'fix',
      at,
      la: rounded(latitude, 6),
      lo: rounded(longitude, 6),
      v: speedKmh,
      ac: rounded(accuracyM, 1),
    })
  }

  /** How this phone is: said now, if there is a line, and on every new one, until it is said anew. */
  tellPhone(phone: SayPhone | null): boolean {
    this.#phone = phone
    return this.#sayPhone()
  }

  /** The same for a call, where there is no line; nothing before a server ever took this screen. */
  phoneState(): PhoneState | null {
    if (!this.#phone || this.#since === null) return null
    this.#phoneCount += 1
    return { ...this.#phone(), drivingSince: this.#since, count: this.#phoneCount }
  }

  /** Asks for a test flash; false if there is no line that would bring it. */
  test(): boolean {
    return this.#accepted && this.#line.send({ t: 'test' })
  }

  sendReceipt(receipt: DueReceipt) {
    if (this.#receipts.add(receipt)) this.#line.send(receiptUp(receipt))
  }

  repeatReceipts() {
    for (const receipt of this.#receipts.all) this.#line.send(receiptUp(receipt))
  }

  #sayPhone(): boolean {
    if (!this.#accepted || this.#line.state !== 'open') return false
    const phone = this.phoneState()
    return phone !== null && this.#line.send({ t: 'phone', phone })
  }

  /** The server's state of the message: what it shows need not be said again. */
  settle(sessionId: string, message: Message) {
    this.#receipts.settle(sessionId, message)
  }
}

function receiptUp({ version, stage, at }: DueReceipt): Up {
  return { t: 'receipt', version, stage, at }
}

function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits))
}
