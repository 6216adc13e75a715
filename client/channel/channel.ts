import type { Down, DownOf, FixDown, RoomName, UpOf } from '#contract/live.ts'
import type { Message } from '#contract/messages.ts'
import type { PhoneState } from '#contract/phone.ts'
import type { Fix } from '#contract/positions.ts'
import type { Session } from '#contract/sessions.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { Listeners } from '../listeners.ts'
import { Retries } from '../retries.ts'
import { ServerClock } from '../serverClock.ts'
import type { TextStore } from '../textStore.ts'
import { Connection, type ConnectionState } from './connection.ts'
import { Driving, type OnRefused, type ReadPhoneState } from './driving.ts'
import { roomsOf } from './frames.ts'
import type { SocketClass } from './liveSocket.ts'
import type { PageSignals } from './pageSignals.ts'
import type { DueReceipt } from './receipts.ts'
import { onRefused } from './refusals.ts'
import type { LiveSession } from './sessionState.ts'
import { SessionStore } from './sessionStore.ts'
import { type RoomListener, Subscriptions } from './subscriptions.ts'

/** A change of the signed-in user, or of a team of theirs. */
type AccountEvent = DownOf<'user-changed' | 'team-changed'>

interface ChannelOptions {
  /** `wss://host/live` */
  readonly url: string
  readonly WebSocket: SocketClass
  readonly page: PageSignals
  readonly report: (problem: string) => void
  /** The id of the signed-in user. */
  readonly userId: string
  /** Stores receipts until the server has them, also across reloads. */
  readonly store: TextStore
  /** Stores the open drive screen of this tab across its reloads, as in sessionStorage. */
  readonly tabStore: TextStore
  readonly clock: Clock
  /** At least 0, below 1. */
  readonly random: () => number
  /** The last known offset of the server's clock from this device's clock. */
  readonly clockOffsetMs?: number
}

/**
 * The live channel of the open app: one connection with automatic reconnect. After a reconnect it subscribes
 * to its rooms again, continues to drive, and repeats receipts until the server has them.
 */
export class Channel {
  readonly clock: ServerClock
  readonly #report: ChannelOptions['report']
  readonly #connection: Connection
  readonly #driving: Driving
  readonly #sessions = new SessionStore()
  readonly #subscriptions: Subscriptions
  readonly #stateListeners = new Listeners()
  readonly #accountListeners = new Listeners<[AccountEvent]>()
  readonly userId: string
  readonly store: TextStore
  readonly #retries: Retries

  constructor(options: ChannelOptions) {
    this.clock = new ServerClock(options.clock, options.clockOffsetMs, String(options.random()))
    this.#report = options.report
    this.#retries = new Retries(options)
    this.userId = options.userId
    this.store = options.store
    this.#connection = new Connection({
      ...options,
      serverClock: this.clock,
      onFrame: frame => this.#onMessage(frame),
      onState: () => {
        this.#stateListeners.notify()
        if (this.connectionState.status === 'open') this.#onOpen()
      },
    })
    this.#driving = new Driving(this.#connection, this.clock, options)
    const isDriven = (room: RoomName) => room === this.#driving.room
    this.#subscriptions = new Subscriptions(this.#connection, isDriven)
  }

  start() {
    this.#connection.start()
  }

  stop() {
    this.#retries.clear()
    this.#connection.stop()
  }

  /** The same object until it changes. */
  get connectionState(): ConnectionState {
    return this.#connection.state
  }

  /** Calls `listener` after each change of `connectionState`. */
  onConnectionState(listener: () => void): () => void {
    return this.#stateListeners.add(listener)
  }

  /** Calls `listener` when the signed-in user, or a team of theirs, changed. */
  onAccountEvent(listener: (event: AccountEvent) => void): () => void {
    return this.#accountListeners.add(listener)
  }

  /** Subscribes to a room's snapshot and events. Call the result to unsubscribe. */
  subscribe(room: RoomName, listener: RoomListener): () => void {
    const leave = this.#subscriptions.listen(room, listener)
    // Each listener starts with a fresh snapshot. One that was requested a moment ago reaches all of them: a page
    // with many cars would exceed the rate limit of subscriptions.
    this.#subscriptions.refresh(room, false)
    return leave
  }

  /** Whether this page receives the snapshots and events of a room, now or once the connection is open. */
  isSubscribed(room: RoomName): boolean {
    return this.#subscriptions.has(room)
  }

  /**
   * Returns the snapshot, or refusal, with which the present subscription to a room began; null before. A reconnection
   * and missed events begin another one. What is requested after it misses no event.
   */
  startOf(room: RoomName): Down | null {
    return this.#subscriptions.startOf(room)
  }

  /** Keeps `session(sessionId)` up to date and calls `onChange` after each change. Call the result to stop. */
  follow(sessionId: string, onChange: () => void): () => void {
    return this.#whileSubscribed(sessionId, this.#sessions.onChange(sessionId, onChange))
  }

  /** The known state of a followed session; the same object until something changes. */
  session(sessionId: string): LiveSession {
    return this.#sessions.get(sessionId)
  }

  /** Calls `listener` for each new fix of a session, for drawing outside React. */
  onFix(sessionId: string, listener: (fix: FixDown) => void): () => void {
    return this.#whileSubscribed(sessionId, this.#sessions.onFix(sessionId, listener))
  }

  /** Merges the message state that an HTTP command returned. */
  mergeMessage(sessionId: string, message: Message) {
    this.#sessions.merge(sessionId, message)
    this.#driving.receipts.acknowledgeMessage(sessionId, message)
  }

  /** True while this device drives a session whose data link is off: it may send and store no position. */
  get isDataLinkOff(): boolean {
    return this.#driving.linkOff
  }

  /** Makes this device the phone in the car, across reconnections. Call the result to stop. */
  drive(sessionId: string, onRefused: OnRefused): () => void {
    const end = this.#driving.begin(sessionId, onRefused)
    return () => {
      // The frame `stop-driving` leaves the session's room too.
      if (end()) this.#subscriptions.refresh(`session:${sessionId}`)
    }
  }

  /**
   * Calls `listener` whenever the server accepts this device as the phone in the car: fixes may be sent then.
   */
  onDriving(listener: () => void): () => void {
    return this.#driving.onAccepted(listener)
  }

  /**
   * Sends a fix now or not at all: false if the server has not accepted this device, or the connection has a
   * backlog.
   */
  sendFix(fix: Fix): boolean {
    return this.#driving.sendFix(fix)
  }

  /** Reports the state of the phone in the car to the team; null when it stops driving. True if it was sent. */
  reportPhone(phone: ReadPhoneState | null): boolean {
    return this.#driving.reportPhone(phone)
  }

  /** The state of the phone in the car, for an HTTP call when there is no connection. */
  phoneState(): PhoneState | null {
    return this.#driving.phoneState()
  }

  /** Reports that this screen showed the driver's test flash. */
  testSeen(sessionId: string) {
    this.#connection.send({ t: 'test-seen', session: sessionId })
  }

  /**
   * Calls `listener` when the server has stored the fix with this time, and all that this connection sent
   * before.
   */
  onStored(sessionId: string, listener: (at: number) => void): () => void {
    return this.#subscriptions.listen(`session:${sessionId}`, frame => {
      if (frame.t === 'heartbeat' && frame.wrote !== undefined) listener(frame.wrote)
    })
  }

  /** Sends a frame of the phone in the car: an answer, a shown flag, or a request for a test flash. False if it was not sent. */
  sendFromCar(frame: UpOf<'answer' | 'flag-shown' | 'test'>): boolean {
    return this.#driving.send(frame)
  }

  /** Queues a receipt: it is sent until the server has it, across reconnections. */
  sendReceipt(receipt: DueReceipt) {
    this.#driving.receipts.add(receipt)
  }

  #onOpen() {
    this.#retries.clear()
    this.#driving.requestDrive()
    for (const room of this.#subscriptions.rooms) this.#subscriptions.refresh(room)
  }

  #onMessage(frame: Down) {
    if (frame.t === 'heartbeat') this.#onHeartbeat(frame.versions)
    if (frame.t === 'snapshot') this.#onSnapshot(frame)
    if (frame.t === 'receipt') this.#onReceipt(frame)
    if (frame.t === 'driving') this.#onDriving(frame)
    if (frame.t === 'session-changed')
      this.#driving.setDataLink(frame.session.id, hasDataLink(frame.session))
    if (frame.t === 'refused') this.#onRefused(frame)
    if (frame.t === 'user-changed') this.#accountListeners.notify(frame)
    if (frame.t === 'team-changed') this.#onTeamChanged(frame)
    for (const room of roomsOf(frame, this.userId)) {
      if (room.startsWith('session:')) this.#onSessionFrame(room.slice('session:'.length), frame)
      this.#subscriptions.deliver(room, frame)
    }
  }

  /** Acknowledges stored receipts first, because accepting the driver sends all that are due. */
  #onSnapshot({ room, snapshot, drive }: DownOf<'snapshot'>) {
    if (room !== this.#driving.room || snapshot.of !== 'session') return
    const { id, message } = snapshot.session
    this.#driving.receipts.acknowledgeMessage(id, message)
    this.#driving.setDataLink(id, hasDataLink(snapshot.session))
    if (drive) this.#driving.accept(drive.since)
  }

  #onDriving({ session, since }: DownOf<'driving'>) {
    const room: RoomName = `session:${session}`
    if (room !== this.#driving.room || !this.#driving.handOver(since)) return
    // The frame `stop-driving` leaves the session's room too.
    this.#subscriptions.refresh(room)
  }

  /** The sessions of the team contain the names of their drivers: requests new snapshots. */
  #onTeamChanged(frame: DownOf<'team-changed'>) {
    for (const room of this.#subscriptions.rooms) {
      const { session } = this.#sessions.get(room.slice('session:'.length))
      if (session?.teamId === frame.team) this.#subscriptions.refresh(room)
    }
    this.#accountListeners.notify(frame)
  }

  #onSessionFrame(sessionId: string, frame: Down) {
    this.#sessions.apply(sessionId, frame)
    const { session } = this.#sessions.get(sessionId)
    if (session) this.#driving.receipts.acknowledgeMessage(sessionId, session.message)
    if (session?.status === 'Complete') this.#driving.receipts.queue.dropSession(sessionId)
  }

  /** A newer version in a heartbeat means a missed event. */
  #onHeartbeat(versions: Record<string, number>) {
    this.#catchUp(versions)
    // Each heartbeat sends a part of the backlog, and may just have synchronised the clock.
    this.#driving.receipts.sendDue()
  }

  /**
   * The receipt of a newer message can arrive before that message: the phone may have read the message in a
   * snapshot. The message, published later, lacks the receipt, so only a new snapshot has both.
   */
  #onReceipt({ session, version, receipt }: DownOf<'receipt'>) {
    this.#driving.receipts.queue.acknowledge(session, version, receipt)
    this.#catchUp({ [session]: version })
  }

  #catchUp(versions: Record<string, number>) {
    for (const [sessionId, version] of Object.entries(versions))
      this.#subscriptions.catchUp(`session:${sessionId}`, version)
  }

  #onRefused(frame: DownOf<'refused'>) {
    onRefused(
      {
        driving: this.#driving,
        subscriptions: this.#subscriptions,
        retries: this.#retries,
        report: this.#report,
      },
      frame,
    )
  }

  /** Subscribes to a session's room for a listener. Call the result to end both. */
  #whileSubscribed(sessionId: string, unlisten: () => void): () => void {
    const unsubscribe = this.#subscribeToSession(sessionId)
    return () => {
      unsubscribe()
      unlisten()
    }
  }

  /** Subscribes to a session's room unless its snapshot is already known. */
  #subscribeToSession(sessionId: string): () => void {
    const room: RoomName = `session:${sessionId}`
    const isKnown = this.#subscriptions.has(room) && this.#sessions.get(sessionId).session !== null
    return isKnown ? this.#subscriptions.listen(room, () => {}) : this.subscribe(room, () => {})
  }
}

/** A server of the previous version sends no `dataLink`. */
function hasDataLink({ dataLink }: Pick<Session, 'dataLink'>): boolean {
  return dataLink ?? true
}
