import type { EpochMs } from '#contract/ids.ts'
import type { RoomName, UpOf } from '#contract/live.ts'
import type { PhoneState } from '#contract/phone.ts'
import type { Fix } from '#contract/positions.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import { isFinal } from '#contract/shared/refusals.ts'
import { Listeners } from '../listeners.ts'
import type { ServerClock } from '../serverClock.ts'
import { linkOffKey } from '../storedKeys.ts'
import type { TextStore } from '../textStore.ts'
import type { Connection } from './connection.ts'
import { ReceiptSender } from './receiptSender.ts'
import { deleteDriveScreen, readDriveScreen, storeDriveScreen } from './storedScreen.ts'

export type OnRefused = (code: RefusalCode) => void
/** Reads the phone's state at the moment it is sent: its times are corrected once the clock is synchronised. */
export type ReadPhoneState = () => Omit<PhoneState, 'drivingSince' | 'count'>

// With a larger backlog a fix is not sent: `FixReporter` queues it on the device, and a newer one follows in a second.
const fixBacklogBytes = 1024

/** The drive screen that this page opened last. */
interface DriveScreen {
  readonly sessionId: string
  readonly onRefused: OnRefused
  /**
   * Whether the server accepted this connection as the phone in the car: before that it would refuse fixes. A replaced
   * screen drives only if the user opens it again, because a screen opened later drives the session.
   */
  status: 'requested' | 'accepted' | 'replaced' | 'left'
  /** When it was opened, by the server's clock; null before the first connection. */
  since: EpochMs | null
  /** The number of its reports of the phone's state. */
  phoneCount: number
  /** The data link of the session is off: only `drive` is sent. */
  isLinkOff: boolean
}

interface DrivingOptions {
  readonly store: TextStore
  readonly tabStore: TextStore
  readonly userId: string
  readonly report: (problem: string) => void
}

/** This device as the phone in the car. The intent to drive and due receipts outlive lost connections. */
export class Driving {
  readonly receipts: ReceiptSender
  readonly #connection: Connection
  readonly #listeners = new Listeners()
  readonly #clock: ServerClock
  readonly #store: TextStore
  readonly #tabStore: TextStore
  #screen: DriveScreen | null = null
  #phone: ReadPhoneState | null = null

  constructor(connection: Connection, clock: ServerClock, options: DrivingOptions) {
    this.#connection = connection
    this.#clock = clock
    this.#store = options.store
    this.#tabStore = options.tabStore
    this.receipts = new ReceiptSender(this, clock, options)
  }

  /** The screen while it drives, or waits for that. */
  get #open(): DriveScreen | null {
    const { status } = this.#screen ?? {}
    return status === 'requested' || status === 'accepted' ? this.#screen : null
  }

  /** The driven session; null if none is driven. */
  get sessionId(): string | null {
    return this.#open?.sessionId ?? null
  }

  /** The room of the driven session, if any. */
  get room(): RoomName | null {
    return this.#open && `session:${this.#open.sessionId}`
  }

  /**
   * Starts to drive, or continues the drive screen that this tab showed before a reload: also a replaced one, which does
   * not drive. The result stops it, and returns whether it still had an effect.
   */
  begin(sessionId: string, onRefused: OnRefused): () => boolean {
    const before = readDriveScreen(this.#tabStore, sessionId)
    const isReplaced = before?.isReplaced ?? false
    const screen: DriveScreen = {
      sessionId,
      onRefused,
      status: isReplaced ? 'replaced' : 'requested',
      since: before?.since ?? null,
      phoneCount: before?.phoneCount ?? 0,
      isLinkOff: !isReplaced && this.#store.read(linkOffKey) === sessionId,
    }
    this.#screen = screen
    if (isReplaced) onRefused('driven-elsewhere')
    else {
      this.receipts.queue.load(sessionId)
      this.requestDrive()
    }
    return () => {
      deleteDriveScreen(this.#tabStore)
      if (this.#open !== screen) return false
      screen.status = 'left'
      screen.isLinkOff = false
      this.#connection.send({ t: 'stop-driving' })
      return true
    }
  }

  /** True while the data link of the driven session is off. */
  get linkOff(): boolean {
    return this.#screen?.isLinkOff ?? false
  }

  /** Stops or continues everything that the car sends. Returns whether that is new. */
  setDataLink(sessionId: string, isOn: boolean): boolean {
    const open = this.#open
    if (sessionId !== open?.sessionId || isOn !== open.isLinkOff) return false
    open.isLinkOff = !isOn
    if (!isOn) this.#store.write(linkOffKey, sessionId)
    else {
      this.#store.remove(linkOffKey)
      // The server refused the frames that were on their way.
      this.receipts.queue.requeueInFlight()
      if (open.status === 'accepted') this.#sendAll()
    }
    return true
  }

  onAccepted(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Sends the `drive` request, on a new connection or as a retry. */
  requestDrive() {
    this.receipts.queue.requeueInFlight()
    const open = this.#open
    if (!open) return
    open.status = 'requested'
    if (this.#connection.state.status !== 'open') return
    open.since ??= this.#clock.now()
    this.#storeScreen(open)
    this.#connection.send({ t: 'drive', session: open.sessionId, since: open.since })
  }

  /** Retries after a refusal, unless the server accepted a later request. */
  retryDrive() {
    if (this.#open?.status === 'requested') this.requestDrive()
  }

  /** Stops driving if a drive screen that was opened later took over. Returns whether it did. */
  handOver(since: EpochMs): boolean {
    const open = this.#open
    if (!open || open.since === null || since <= open.since) return false
    open.status = 'replaced'
    this.#storeScreen(open)
    this.#connection.send({ t: 'stop-driving' })
    open.onRefused('driven-elsewhere')
    return true
  }

  /** Handles the response to `drive`; one to an older request changes nothing. */
  accept(since: EpochMs | null) {
    const open = this.#open
    if (open?.status !== 'requested' || since !== open.since) return
    open.status = 'accepted'
    if (!open.isLinkOff) this.#sendAll()
  }

  #sendAll() {
    this.receipts.sendDue()
    this.sendPhone()
    this.#listeners.notify()
  }

  /** True if the server accepts frames of this device now. */
  get #maySend(): boolean {
    return this.#screen?.status === 'accepted' && !this.#screen.isLinkOff
  }

  /** Handles a refusal of `drive`, or of the room of the driven session. */
  refuse(code: RefusalCode) {
    const open = this.#open
    if (!open) return
    open.status = code === 'driven-elsewhere' ? 'replaced' : 'requested'
    this.#storeScreen(open)
    // The server will never accept a receipt of this user for the session.
    if (code === 'session-ended' || isFinal(code)) this.receipts.queue.dropSession(open.sessionId)
    open.onRefused(code)
  }

  sendFix({ at, latitude, longitude, speedKmh, accuracyM, headingDeg, atArrival }: Fix): boolean {
    if (this.#connection.backlogBytes > fixBacklogBytes) return false
    return this.send({
      t: 'fix',
      at,
      la: roundTo(latitude, 6),
      lo: roundTo(longitude, 6),
      v: speedKmh,
      ac: roundTo(accuracyM, 1),
      // Absent rather than null, to keep the frame small.
      h: headingDeg ?? undefined,
      ar: atArrival,
    })
  }

  /** Reports the phone's state: now if there is a connection, and on every new one until it changes. */
  reportPhone(phone: ReadPhoneState | null): boolean {
    this.#phone = phone
    return this.sendPhone()
  }

  /** Sends the phone's current state; false if there is no connection. */
  sendPhone(): boolean {
    if (!this.#maySend || this.#connection.state.status !== 'open') return false
    const phone = this.phoneState()
    return phone !== null && this.send({ t: 'phone', phone })
  }

  /** The phone's state for an HTTP call, also of a screen that was left; null before a connection ever drove. */
  phoneState(): PhoneState | null {
    const screen = this.#screen
    if (!this.#phone || !screen || screen.since === null || screen.isLinkOff) return null
    screen.phoneCount += 1
    if (screen === this.#open) this.#storeScreen(screen)
    return { ...this.#phone(), drivingSince: screen.since, count: screen.phoneCount }
  }

  /** Sends a frame now or not at all: false if the server has not accepted this device. */
  send(frame: UpOf<'fix' | 'phone' | 'receipt' | 'answer' | 'flag-shown' | 'test'>): boolean {
    return this.#maySend && this.#connection.send(frame)
  }

  #storeScreen({ sessionId, since, phoneCount, status }: DriveScreen) {
    if (since === null) return
    const isReplaced = status === 'replaced'
    storeDriveScreen(this.#tabStore, sessionId, { since, phoneCount, isReplaced })
  }
}

function roundTo(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits))
}
