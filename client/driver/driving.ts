import type { EpochMs } from '#contract/ids.ts'
import type { RoomName } from '#contract/live.ts'
import type { Message, Receipt, ReceiptStage } from '#contract/messages.ts'
import type { PhoneState } from '#contract/phone.ts'
import type { Fix } from '#contract/positions.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import type { Connection } from '../connection/connection.ts'
import type { TextStore } from '../textStore.ts'
import type { ServerClock } from '../time/serverClock.ts'
import { type DueReceipt, DueReceipts } from './receipts.ts'

export type OnRefused = (code: RefusalCode) => void
/** How the phone is, as of the moment it is said: until a server spoke its clock is only guessed. */
export type SendPhone = () => Omit<PhoneState, 'drivingSince' | 'count'>

// A fix that would wait behind this much is left out: a newer one comes in a second.
const fixBacklogBytes = 1024

/** How many due receipts one heartbeat sends. The server refills the bucket for them by this many in the same time. */
export const receiptsPerHeartbeat = 20

interface OfDriver {
  readonly store: TextStore
  readonly userId: string
  readonly report: (problem: string) => void
}

/** As a refusal names it. */
interface RefusedReceipt {
  readonly version: number
  readonly stage: ReceiptStage
}

/** A session that cannot be driven with these will never take a receipt of this user. */
const finalRefusals: readonly RefusalCode[] = [
  'session-ended',
  'not-the-driver',
  'not-a-member',
  'not-found',
]

/** This device as the phone in the car: the wish outlives lost connections, and so do receipts. */
export class Driving {
  readonly #connection: Connection
  readonly #receipts: DueReceipts
  readonly #listeners = new Set<() => void>()
  readonly #clock: ServerClock
  #wish: { readonly sessionId: string; readonly onRefused: OnRefused } | null = null
  /** When the newest wish began, by the server's clock; none before a connection was there. */
  #since: EpochMs | null = null
  #phone: SendPhone | null = null
  #phoneCount = 0
  /** The server took this connection as the phone in the car: before that it would refuse fixes. */
  #accepted = false

  constructor(connection: Connection, clock: ServerClock, { store, userId, report }: OfDriver) {
    this.#connection = connection
    this.#clock = clock
    this.#receipts = new DueReceipts(store, userId, report)
  }

  /** The room of the driven session, if any. */
  get room(): RoomName | null {
    return this.#wish && `session:${this.#wish.sessionId}`
  }

  /** Wants to drive from now on. The result undoes it and says whether it still had an effect. */
  begin(sessionId: string, onRefused: OnRefused): () => boolean {
    const wish = { sessionId, onRefused }
    this.#wish = wish
    this.#since = null
    this.#receipts.load(sessionId)
    this.ask()
    return () => {
      if (this.#wish !== wish) return false
      this.#wish = null
      this.#accepted = false
      this.#connection.send({ t: 'park' })
      return true
    }
  }

  onAccepted(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Asks the server, on a new connection or once more. */
  ask() {
    this.#accepted = false
    this.#receipts.requeueSent()
    if (!this.#wish || this.#connection.state !== 'open') return
    this.#since ??= this.#clock.now()
    this.#connection.send({ t: 'drive', session: this.#wish.sessionId, since: this.#since })
  }

  /** Asks once more after a refusal, unless the server accepted a later request. */
  retryDrive() {
    if (!this.#accepted) this.ask()
  }

  /** A drive screen that was opened at this time counts: true if that is another one, and this one is over. */
  handOver(since: EpochMs): boolean {
    if (!this.#wish || this.#since === null || since <= this.#since) return false
    const { onRefused } = this.#wish
    this.#wish = null
    this.#accepted = false
    this.#connection.send({ t: 'park' })
    onRefused('driven-elsewhere')
    return true
  }

  /** The server accepted the `drive` with this time; an answer to an older request changes nothing. */
  accept(since: EpochMs | null) {
    if (this.#accepted || since !== this.#since) return
    this.#accepted = true
    this.sendDueReceipts()
    this.sendPhone()
    for (const listener of this.#listeners) listener()
  }

  refuse(code: RefusalCode) {
    if (!this.#wish) return
    if (finalRefusals.includes(code)) this.#receipts.dropSession(this.#wish.sessionId)
    this.#wish.onRefused(code)
  }

  sendFix({ at, latitude, longitude, speedKmh, accuracyM }: Fix): boolean {
    if (!this.#accepted || this.#connection.backlogBytes > fixBacklogBytes) return false
    return this.#connection.send({
      t: 'fix',
      at,
      la: rounded(latitude, 6),
      lo: rounded(longitude, 6),
      v: speedKmh,
      ac: rounded(accuracyM, 1),
    })
  }

  /** How this phone is: said now, if there is a connection, and on every new one, until it is said anew. */
  reportPhone(phone: SendPhone | null): boolean {
    this.#phone = phone
    return this.sendPhone()
  }

  /** The same for a call, where there is no connection; nothing before a server ever took this screen. */
  phoneState(): PhoneState | null {
    if (!this.#phone || this.#since === null) return null
    this.#phoneCount += 1
    return { ...this.#phone(), drivingSince: this.#since, count: this.#phoneCount }
  }

  /** Asks for a test flash; false if there is no connection that would bring it. */
  test(): boolean {
    return this.#accepted && this.#connection.send({ t: 'test' })
  }

  /** A new receipt does not wait for the backlog. */
  sendReceipt(receipt: DueReceipt) {
    if (this.#receipts.add(receipt)) this.#send(receipt)
  }

  /** Sends the first receipts of the backlog; each heartbeat sends more. */
  sendDueReceipts() {
    if (!this.#wish) return
    let sent = 0
    for (const receipt of this.#receipts.unsent(this.#wish.sessionId)) {
      if (this.#send(receipt)) sent += 1
      if (sent === receiptsPerHeartbeat) return
    }
  }

  /** The server refused a receipt temporarily: `retryReceipts` sends it again. */
  postponeReceipt(receipt: RefusedReceipt) {
    if (this.#wish) this.#receipts.postpone({ sessionId: this.#wish.sessionId, ...receipt })
  }

  retryReceipts() {
    this.#receipts.requeuePostponed()
    this.sendDueReceipts()
  }

  /** Sends a receipt if this connection drives its session and its time is known. */
  #send(receipt: DueReceipt): boolean {
    if (!this.#accepted || receipt.sessionId !== this.#wish?.sessionId) return false
    const at = this.#clock.dated(receipt)
    if (at === null) return false
    const { version, stage } = receipt
    if (!this.#connection.send({ t: 'receipt', version, stage, at })) return false
    this.#receipts.markSent(receipt)
    return true
  }

  /** Sends how this phone is now; false if no connection took it. */
  sendPhone(): boolean {
    if (!this.#accepted || this.#connection.state !== 'open') return false
    const phone = this.phoneState()
    return phone !== null && this.#connection.send({ t: 'phone', phone })
  }

  /** The server's current message: its receipts are settled, older versions cannot be acknowledged. */
  settleMessage(sessionId: string, message: Message) {
    this.#receipts.acknowledge(sessionId, message.version, message)
    this.#receipts.dropOldCopies(sessionId, message.version)
  }

  /** The server stored receipts of any version. */
  settleReceipt(sessionId: string, version: number, receipt: Receipt) {
    this.#receipts.acknowledge(sessionId, version, receipt)
  }

  /** The session ended: the server takes no receipt of it any more. */
  settleEnd(sessionId: string) {
    this.#receipts.dropSession(sessionId)
  }

  /** The server refused a receipt for good. */
  refuseReceipt(code: RefusalCode, receipt?: RefusedReceipt) {
    if (!this.#wish) return
    const { sessionId } = this.#wish
    // Refused as a whole, or this version is not known: no repetition changes that.
    if (code === 'session-ended') this.#receipts.dropSession(sessionId)
    else if (code === 'not-found' && receipt) this.#receipts.drop({ sessionId, ...receipt })
  }
}

function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits))
}
