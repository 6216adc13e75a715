import type { Clock } from '#contract/clock.ts'
import type { Down, DownOf, FixDown, RoomName } from '#contract/live.ts'
import type { Message } from '#contract/messages.ts'
import type { PhoneState } from '#contract/phone.ts'
import type { Fix } from '#contract/positions.ts'
import { Connection, type ConnectionState, type SocketClass } from './connection/connection.ts'
import { roomsOf } from './connection/frames.ts'
import type { PageSignals } from './connection/pageSignals.ts'
import { Driving, type OnRefused, type SendPhone } from './driver/driving.ts'
import type { DueReceipt } from './driver/receipts.ts'
import { isTransient } from './refusals.ts'
import { Retries } from './retries.ts'
import type { LiveSession } from './session/sessionState.ts'
import { SessionStore } from './session/sessionStore.ts'
import type { TextStore } from './textStore.ts'
import { ServerClock } from './time/serverClock.ts'

/** Events of one room, a snapshot first and again after each reconnection, or its refusal. */
export type RoomListener = (frame: Down) => void

interface ChannelOptions {
  /** `wss://host/live` */
  readonly url: string
  readonly WebSocket: SocketClass
  readonly page: PageSignals
  readonly report: (problem: string) => void
  /** Who is signed in. */
  readonly userId: string
  /** Receipts wait here for the server, also through a reload. */
  readonly store: TextStore
  readonly clock: Clock
  /** At least 0, below 1. */
  readonly random: () => number
  /** How far the server's clock is ahead of this device's, as was last known. */
  readonly clockOffsetMs?: number
}

/**
 * The one live connection of the open app. It survives lost connections: rooms are watched again, the
 * driving goes on, and receipts are repeated until the server shows that it has them.
 */
export class Channel {
  readonly clock: ServerClock
  readonly #report: ChannelOptions['report']
  readonly #connection: Connection
  readonly #driving: Driving
  readonly #sessions = new SessionStore()
  readonly #rooms = new Map<RoomName, Set<RoomListener>>()
  readonly #lineListeners = new Set<() => void>()
  readonly #signedOutListeners = new Set<() => void>()
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
      onSignedOut: () => {
        for (const listener of this.#signedOutListeners) listener()
      },
      onOpen: () => this.#ask(),
      onFrame: frame => this.#onMessage(frame),
      onState: () => {
        for (const listener of this.#lineListeners) listener()
      },
    })
    this.#driving = new Driving(this.#connection, this.clock, options)
  }

  start() {
    this.#connection.start()
  }

  stop() {
    this.#retries.clear()
    this.#connection.stop()
  }

  get connectionState(): ConnectionState {
    return this.#connection.state
  }

  onConnectionState(listener: () => void): () => void {
    this.#lineListeners.add(listener)
    return () => this.#lineListeners.delete(listener)
  }

  /** The login ended: the connection stays down. */
  onSignedOut(listener: () => void): () => void {
    this.#signedOutListeners.add(listener)
    return () => this.#signedOutListeners.delete(listener)
  }

  /** Hears a room's snapshot and events. Call the result to leave. */
  watch(room: RoomName, listener: RoomListener): () => void {
    const leave = this.#join(room, listener)
    // Asked again for every newcomer: each starts from a fresh snapshot.
    this.#connection.send({ t: 'watch', room })
    return leave
  }

  /** Keeps `session(sessionId)` up to date and tells of each change. Call the result to stop. */
  follow(sessionId: string, onChange: () => void): () => void {
    const forget = this.#sessions.onChange(sessionId, onChange)
    const unwatch = this.#ensureWatched(sessionId)
    return () => {
      unwatch()
      forget()
    }
  }

  /** What is known of a followed session; the same object until something changes. */
  session(sessionId: string): LiveSession {
    return this.#sessions.get(sessionId)
  }

  /** Each new fix of a session, for what is drawn outside React. */
  onFix(sessionId: string, listener: (fix: FixDown) => void): () => void {
    const forget = this.#sessions.onFix(sessionId, listener)
    const unwatch = this.#ensureWatched(sessionId)
    return () => {
      unwatch()
      forget()
    }
  }

  /** A command was answered with the message's newest state. */
  learn(sessionId: string, message: Message) {
    this.#sessions.merge(sessionId, message)
    this.#driving.settleMessage(sessionId, message)
  }

  /** This device is the phone in the car from now on, over all reconnections, until undone. */
  drive(sessionId: string, onRefused: OnRefused): () => void {
    const end = this.#driving.begin(sessionId, onRefused)
    return () => {
      const room: RoomName = `session:${sessionId}`
      // Parking leaves the session's room too.
      if (end() && this.#rooms.has(room)) this.#connection.send({ t: 'watch', room })
    }
  }

  /** Each time the server takes this device as the phone in the car: fixes may be sent. */
  onDriving(listener: () => void): () => void {
    return this.#driving.onAccepted(listener)
  }

  /** Reports the car's place now, or not at all: false if nobody would take it, or it had to wait. */
  sendFix(fix: Fix): boolean {
    return this.#driving.sendFix(fix)
  }

  /** How the phone in the car is, for the team; none when it drives no more. True if a connection took it. */
  reportPhone(phone: SendPhone | null): boolean {
    return this.#driving.reportPhone(phone)
  }

  /** How the phone in the car is, for a call that tells it where no connection does. */
  phoneState(): PhoneState | null {
    return this.#driving.phoneState()
  }

  /** This screen showed the driver's test flash. */
  testSeen(sessionId: string) {
    this.#connection.send({ t: 'test-seen', session: sessionId })
  }

  /** The server has stored the fix of this time, and all that this connection sent before it. */
  onStored(sessionId: string, listener: (at: number) => void): () => void {
    return this.#join(`session:${sessionId}`, frame => {
      if (frame.t === 'beat' && frame.wrote !== undefined) listener(frame.wrote)
    })
  }

  /** Asks for a test flash on every screen of the session; false if there is no connection that would bring it. */
  testFlash(): boolean {
    return this.#driving.test()
  }

  /** Says how far a message came on this phone. It arrives, however often the connection falls. */
  sendReceipt(receipt: DueReceipt) {
    this.#driving.sendReceipt(receipt)
  }

  #ask() {
    this.#retries.clear()
    this.#driving.ask()
    for (const room of this.#rooms.keys()) this.#connection.send({ t: 'watch', room })
  }

  #onMessage(frame: Down) {
    if (frame.t === 'beat') this.#sendHeartbeat(frame.versions)
    if (frame.t === 'snapshot') this.#hearSnapshot(frame)
    if (frame.t === 'receipt')
      this.#driving.settleReceipt(frame.session, frame.version, frame.receipt)
    if (frame.t === 'driving') this.#yieldTo(frame)
    if (frame.t === 'refused') this.#hearRefusal(frame)
    for (const room of roomsOf(frame, this.userId)) {
      if (room.startsWith('session:')) this.#hearSession(room.slice('session:'.length), frame)
      for (const listener of this.#rooms.get(room) ?? []) listener(frame)
    }
  }

  /** Settles receipts first: the answer to `drive` sends those that are still due. */
  #hearSnapshot({ room, snapshot, drive }: DownOf<'snapshot'>) {
    if (room !== this.#driving.room || snapshot.of !== 'session') return
    this.#driving.settleMessage(snapshot.session.id, snapshot.session.message)
    if (drive) this.#driving.accept(drive.since)
  }

  #yieldTo({ session, since }: DownOf<'driving'>) {
    const room: RoomName = `session:${session}`
    if (room !== this.#driving.room || !this.#driving.handOver(since)) return
    // Parking leaves the session's room too.
    if (this.#rooms.has(room)) this.#connection.send({ t: 'watch', room })
  }

  #hearSession(sessionId: string, frame: Down) {
    this.#sessions.hear(sessionId, frame)
    const { session } = this.#sessions.get(sessionId)
    if (session) this.#driving.settleMessage(sessionId, session.message)
    if (session?.status === 'Complete') this.#driving.settleEnd(sessionId)
  }

  #sendHeartbeat(versions: Record<string, number>) {
    this.#catchUp(versions)
    // Each heartbeat sends a part of a backlog; it may also have synchronised the clock.
    this.#driving.sendDueReceipts()
  }

  /** The beat knows of a newer message than we do: an event was missed, so ask for the whole state. */
  #catchUp(versions: Record<string, number>) {
    for (const [sessionId, version] of Object.entries(versions)) {
      const room: RoomName = `session:${sessionId}`
      const known = this.#sessions.get(sessionId).session?.message.version
      if (this.#rooms.has(room) && (known === undefined || version > known)) {
        this.#connection.send({ t: 'watch', room })
      }
    }
  }

  #hearRefusal(frame: DownOf<'refused'>) {
    if (isTransient(frame.code)) {
      this.#refusedForNow(frame)
      return
    }
    if (frame.re === 'drive') this.#driving.refuse(frame.code)
    // The end of a session is told by its own event; a fix that was on its way is no news.
    if (frame.re === 'fix' && frame.code !== 'session-ended') this.#reportRefused(frame)
    if (frame.re === 'receipt') {
      this.#driving.refuseReceipt(frame.code, frame.receipt)
      this.#reportRefused(frame)
    }
  }

  /** Repeats the refused frame alone. A fix is followed by a newer one; a test flash is pressed again. */
  #refusedForNow({ re, room, receipt, retryAfterSeconds }: DownOf<'refused'>) {
    const repeat = (kind: string, act: () => void) =>
      this.#retries.schedule(kind, retryAfterSeconds, act)
    if (re === 'drive') repeat(re, () => this.#driving.retryDrive())
    if (re === 'phone') repeat(re, () => this.#driving.sendPhone())
    if (re === 'receipt' && receipt) {
      this.#driving.postponeReceipt(receipt)
      repeat(re, () => this.#driving.retryReceipts())
    }
    if (re === 'watch' && room !== undefined)
      repeat(`watch ${room}`, () => {
        if (this.#rooms.has(room)) this.#connection.send({ t: 'watch', room })
      })
  }

  #reportRefused({ re, code }: DownOf<'refused'>) {
    this.#report(`The server refused a ${re}: ${code}`)
  }

  /** What is known of a session is kept for whoever follows it second: no need to ask again. */
  #ensureWatched(sessionId: string): () => void {
    const room: RoomName = `session:${sessionId}`
    const isKnown = this.#rooms.has(room) && this.#sessions.get(sessionId).session !== null
    const nothing = () => undefined
    return isKnown ? this.#join(room, nothing) : this.watch(room, nothing)
  }

  #join(room: RoomName, listener: RoomListener): () => void {
    const listeners = this.#rooms.get(room) ?? new Set()
    this.#rooms.set(room, listeners.add(listener))
    return () => {
      if (!listeners.delete(listener) || listeners.size > 0) return
      this.#rooms.delete(room)
      // Who drives hears the session's room anyway, and to leave it would be to stop driving.
      if (room !== this.#driving.room) this.#connection.send({ t: 'unwatch', room })
    }
  }
}
