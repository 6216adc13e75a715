import type { EpochMs } from '#contract/ids.ts'
import type { RoomName, UpOf } from '#contract/live.ts'
import type { Message, Receipt, ReceiptStage } from '#contract/messages.ts'
import type { PhoneState } from '#contract/phone.ts'
import type { Fix } from '#contract/positions.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import { isFinal } from '#contract/shared/refusals.ts'
import { Listeners } from '../listeners.ts'
import type { ServerClock } from '../serverClock.ts'
import { linkOffKey } from '../storedKeys.ts'
import type { TextStore } from '../textStore.ts'
import type { Connection } from './connection.ts'
import { type DueReceipt, DueReceipts } from './receipts.ts'
import { deleteDriveScreen, readDriveScreen, storeDriveScreen } from './storedScreen.ts'

export type OnRefused = (code: RefusalCode) => void
/** Reads the phone's state at the moment it is sent: its times are corrected once the clock is synchronised. */
export type ReadPhoneState = () => Omit<PhoneState, 'drivingSince' | 'count'>

// With a larger backlog a fix is not sent: `FixReporter` queues it on the device, and a newer one follows in a second.
const fixBacklogBytes = 1024

/** Due receipts sent with each heartbeat. The server refills their rate limit by as many in the same time. */
export const receiptsPerHeartbeat = 20

interface DriverContext {
  readonly store: TextStore
  readonly tabStore: TextStore
  readonly userId: string
  readonly report: (problem: string) => void
}

/** A receipt as named by a refusal. */
interface RefusedReceipt {
  readonly version: number
  readonly stage: ReceiptStage
}

/** This device as the phone in the car. The intent to drive and due receipts outlive lost connections. */
export class Driving {
  readonly #connection: Connection
  readonly #receipts: DueReceipts
  readonly #listeners = new Listeners()
  readonly #clock: ServerClock
  readonly #store: TextStore
  readonly #tabStore: TextStore
  #driveIntent: { readonly sessionId: string; readonly onRefused: OnRefused } | null = null
  /** When the current drive screen began, by the server's clock; null before the first connection. */
  #since: EpochMs | null = null
  /** A screen opened later drives the session, and this one only again when the user opens it again. */
  #isReplaced = false
  #phone: ReadPhoneState | null = null
  #phoneCount = 0
  /** The server accepted this connection as the phone in the car: before that it would refuse fixes. */
  #accepted = false
  /** The data link of the driven session is off: only `drive` is sent. */
  #linkOff = false

  constructor(
    connection: Connection,
    clock: ServerClock,
    { store, tabStore, userId, report }: DriverContext,
  ) {
    this.#connection = connection
    this.#clock = clock
    this.#store = store
    this.#tabStore = tabStore
    this.#receipts = new DueReceipts(store, userId, report)
  }

  /** The room of the driven session, if any. */
  get room(): RoomName | null {
    return this.#driveIntent && `session:${this.#driveIntent.sessionId}`
  }

  /** The driven session and its receipts that the server is not known to have; null if none is driven. */
  describe() {
    const { sessionId } = this.#driveIntent ?? {}
    return sessionId === undefined
      ? null
      : { sessionId, accepted: this.#accepted, dueReceipts: this.#receipts.due(sessionId) }
  }

  /**
   * Starts to drive, or continues the drive screen that this tab showed before a reload: also a replaced one, which does
   * not drive. The result stops it, and returns whether it still had an effect.
   */
  begin(sessionId: string, onRefused: OnRefused): () => boolean {
    const intent = { sessionId, onRefused }
    const before = readDriveScreen(this.#tabStore, sessionId)
    this.#since = before?.since ?? null
    this.#phoneCount = before?.phoneCount ?? 0
    this.#isReplaced = before?.isReplaced ?? false
    if (this.#isReplaced) {
      onRefused('driven-elsewhere')
      return () => {
        deleteDriveScreen(this.#tabStore)
        return false
      }
    }
    this.#driveIntent = intent
    this.#linkOff = this.#store.read(linkOffKey) === sessionId
    this.#receipts.load(sessionId)
    this.requestDrive()
    return () => {
      deleteDriveScreen(this.#tabStore)
      if (this.#driveIntent !== intent) return false
      this.#driveIntent = null
      this.#accepted = false
      this.#linkOff = false
      this.#connection.send({ t: 'stop-driving' })
      return true
    }
  }

  /** True while the data link of the driven session is off. */
  get linkOff(): boolean {
    return this.#linkOff
  }

  /** Stops or continues everything that the car sends. Returns whether that is new. */
  setDataLink(sessionId: string, isOn: boolean): boolean {
    if (sessionId !== this.#driveIntent?.sessionId || isOn !== this.#linkOff) return false
    this.#linkOff = !isOn
    if (!isOn) this.#store.write(linkOffKey, sessionId)
    else {
      this.#store.remove(linkOffKey)
      // The server refused the frames that were on their way.
      this.#receipts.requeueInFlight()
      if (this.#accepted) this.#sendAll()
    }
    return true
  }

  onAccepted(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Sends the `drive` request, on a new connection or as a retry. */
  requestDrive() {
    this.#accepted = false
    this.#receipts.requeueInFlight()
    if (!this.#driveIntent || this.#connection.state.status !== 'open') return
    const { sessionId } = this.#driveIntent
    this.#since ??= this.#clock.now()
    this.#storeScreen(sessionId)
    this.#connection.send({ t: 'drive', session: sessionId, since: this.#since })
  }

  /** Retries after a refusal, unless the server accepted a later request. */
  retryDrive() {
    if (!this.#accepted) this.requestDrive()
  }

  /** Stops driving if a drive screen that was opened later took over. Returns whether it did. */
  handOver(since: EpochMs): boolean {
    if (!this.#driveIntent || this.#since === null || since <= this.#since) return false
    const { sessionId, onRefused } = this.#driveIntent
    this.#isReplaced = true
    this.#storeScreen(sessionId)
    this.#driveIntent = null
    this.#accepted = false
    this.#connection.send({ t: 'stop-driving' })
    onRefused('driven-elsewhere')
    return true
  }

  /** Handles the response to `drive`; one to an older request changes nothing. */
  accept(since: EpochMs | null) {
    if (this.#accepted || since !== this.#since) return
    this.#accepted = true
    if (!this.#linkOff) this.#sendAll()
  }

  #sendAll() {
    this.sendDueReceipts()
    this.sendPhone()
    this.#listeners.notify()
  }

  /** True if the server accepts frames of this device now. */
  get #maySend(): boolean {
    return this.#accepted && !this.#linkOff
  }

  refuse(code: RefusalCode) {
    if (!this.#driveIntent) return
    this.#accepted = false
    this.#isReplaced = code === 'driven-elsewhere'
    this.#storeScreen(this.#driveIntent.sessionId)
    // The server will never accept a receipt of this user for the session.
    if (code === 'session-ended' || isFinal(code))
      this.#receipts.dropSession(this.#driveIntent.sessionId)
    this.#driveIntent.onRefused(code)
  }

  sendFix({ at, latitude, longitude, speedKmh, accuracyM, headingDeg, atArrival }: Fix): boolean {
    if (!this.#maySend || this.#connection.backlogBytes > fixBacklogBytes) return false
    return this.#connection.send({
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

  /** The phone's state for an HTTP call; null before a connection ever drove. */
  phoneState(): PhoneState | null {
    if (!this.#phone || this.#since === null || this.#linkOff) return null
    this.#phoneCount += 1
    if (this.#driveIntent) this.#storeScreen(this.#driveIntent.sessionId)
    return { ...this.#phone(), drivingSince: this.#since, count: this.#phoneCount }
  }

  /** Sends a frame now or not at all: false if the server has not accepted this device. */
  send(frame: UpOf<'answer' | 'test'>): boolean {
    return this.#maySend && this.#connection.send(frame)
  }

  /**
   * Queues a receipt and sends it ahead of the backlog, after the message's earlier stages that wait for a retry: on the
   * server a later stage implies the earlier ones, with its own time.
   */
  sendReceipt(receipt: DueReceipt) {
    if (!this.#receipts.add(receipt)) return
    const { sessionId, version } = receipt
    this.#receipts.requeuePostponed(version)
    for (const due of this.#receipts.unsent(sessionId)) if (due.version === version) this.#send(due)
  }

  /** Sends the first receipts of the backlog; each heartbeat sends more. */
  sendDueReceipts() {
    if (!this.#driveIntent) return
    let sent = 0
    for (const receipt of this.#receipts.unsent(this.#driveIntent.sessionId)) {
      if (this.#send(receipt)) sent += 1
      if (sent === receiptsPerHeartbeat) return
    }
  }

  /** Marks a receipt that the server refused temporarily: `retryReceipts` sends it again. */
  postponeReceipt(receipt: RefusedReceipt) {
    if (this.#driveIntent)
      this.#receipts.postpone({ sessionId: this.#driveIntent.sessionId, ...receipt })
  }

  retryReceipts() {
    this.#receipts.requeuePostponed()
    this.sendDueReceipts()
  }

  /** Sends a receipt if this connection drives its session and its time is known. */
  #send(receipt: DueReceipt): boolean {
    if (!this.#maySend || receipt.sessionId !== this.#driveIntent?.sessionId) return false
    const at = this.#clock.dated(receipt)
    if (at === null) return false
    const { version, stage } = receipt
    if (!this.#connection.send({ t: 'receipt', version, stage, at })) return false
    this.#receipts.markSent(receipt)
    return true
  }

  #storeScreen(sessionId: string) {
    if (this.#since === null) return
    storeDriveScreen(this.#tabStore, sessionId, {
      since: this.#since,
      phoneCount: this.#phoneCount,
      isReplaced: this.#isReplaced,
    })
  }

  /** Sends the phone's current state; false if there is no connection. */
  sendPhone(): boolean {
    if (!this.#maySend || this.#connection.state.status !== 'open') return false
    const phone = this.phoneState()
    return phone !== null && this.#connection.send({ t: 'phone', phone })
  }

  /**
   * Merges the server's current message: removes the receipts it has, and acknowledgements of older versions.
   */
  acknowledgeMessage(sessionId: string, message: Message) {
    this.#receipts.acknowledge(sessionId, message.version, message)
    this.#receipts.dropOldCopies(sessionId, message.version)
  }

  /** Removes the receipts that the server has stored, of any version. */
  acknowledgeReceipt(sessionId: string, version: number, receipt: Receipt) {
    this.#receipts.acknowledge(sessionId, version, receipt)
  }

  /** Drops all receipts of an ended session: the server accepts none any more. */
  dropSession(sessionId: string) {
    this.#receipts.dropSession(sessionId)
  }

  /** Drops receipts that the server refused permanently. */
  refuseReceipt(code: RefusalCode, receipt?: RefusedReceipt) {
    if (!this.#driveIntent) return
    const { sessionId } = this.#driveIntent
    // The session or version is refused for good: no retry changes that.
    if (code === 'session-ended') this.#receipts.dropSession(sessionId)
    else if (code === 'not-found' && receipt) this.#receipts.drop({ sessionId, ...receipt })
  }
}

function roundTo(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits))
}
