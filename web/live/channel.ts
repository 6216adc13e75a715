import type { Down, DownOf, Fix, FixDown, Room, Up } from '#contract/live.ts'
import type { Message } from '#contract/messages.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import { ServerClock } from './clock.ts'
import { roomsOf } from './frames.ts'
import { Line, type LineState, type SocketClass } from './line.ts'
import type { PageSignals } from './pageSignals.ts'
import { type DueReceipt, DueReceipts } from './receipts.ts'
import type { LiveSession } from './sessionState.ts'
import { SessionStore } from './sessionStore.ts'

/** Events of one room, a snapshot first and again after each reconnection, or its refusal. */
export type RoomListener = (frame: Down) => void

type OnRefused = (code: RefusalCode) => void

export interface ChannelOptions {
  /** `wss://host/live` */
  readonly url: string
  readonly WebSocket: SocketClass
  readonly page: PageSignals
  readonly report: (problem: string) => void
}

// A fix that would wait behind this much is left out: a newer one comes in a second.
const fixBacklogBytes = 1024

/**
 * The one live connection of the open app. It survives lost lines: rooms are watched again, the
 * driving goes on, and receipts are repeated until the server shows that it has them.
 */
export class Channel {
  readonly clock = new ServerClock()
  readonly #line: Line
  readonly #sessions = new SessionStore()
  readonly #receipts = new DueReceipts()
  readonly #rooms = new Map<Room, Set<RoomListener>>()
  readonly #lineListeners = new Set<() => void>()
  readonly #signedOutListeners = new Set<() => void>()
  #userId = ''
  /** Something was refused for a reason that passes. */
  #askAgain = false
  #driving: { sessionId: string; onRefused: OnRefused } | null = null
  /** The server took this line as the phone in the car: before that it would refuse fixes. */
  #drives = false
  readonly #drivingListeners = new Set<() => void>()

  constructor(options: ChannelOptions) {
    this.#line = new Line({
      ...options,
      clock: this.clock,
      onSignedOut: () => {
        for (const listener of this.#signedOutListeners) listener()
      },
      onOpen: welcome => this.#greet(welcome.user),
      onFrame: frame => this.#hear(frame),
      onState: () => {
        for (const listener of this.#lineListeners) listener()
      },
    })
  }

  start() {
    this.#line.start()
  }

  stop() {
    this.#line.stop()
  }

  get lineState(): LineState {
    return this.#line.state
  }

  onLineState(listener: () => void): () => void {
    this.#lineListeners.add(listener)
    return () => this.#lineListeners.delete(listener)
  }

  /** The login ended: the line stays down. */
  onSignedOut(listener: () => void): () => void {
    this.#signedOutListeners.add(listener)
    return () => this.#signedOutListeners.delete(listener)
  }

  /** Hears a room's snapshot and events. Call the result to leave. */
  watch(room: Room, listener: RoomListener): () => void {
    const leave = this.#join(room, listener)
    // Asked again for every newcomer: each starts from a fresh snapshot.
    this.#line.send({ t: 'watch', room })
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
    this.#sessions.learn(sessionId, message)
    this.#receipts.settle(sessionId, message)
  }

  /** This device is the phone in the car from now on, over all reconnections, until undone. */
  drive(sessionId: string, onRefused: OnRefused): () => void {
    const driving = { sessionId, onRefused }
    this.#driving = driving
    this.#askToDrive()
    return () => {
      if (this.#driving !== driving) return
      this.#driving = null
      this.#drives = false
      this.#receipts.drop(sessionId)
      this.#line.send({ t: 'park' })
      // Parking left the session's room too.
      const room: Room = `session:${sessionId}`
      if (this.#rooms.has(room)) this.#line.send({ t: 'watch', room })
    }
  }

  /** Each time the server takes this device as the phone in the car: fixes may be sent. */
  onDriving(listener: () => void): () => void {
    this.#drivingListeners.add(listener)
    return () => this.#drivingListeners.delete(listener)
  }

  /** Reports the car's place now, or not at all: false if nobody would take it, or it had to wait. */
  sendFix(fix: Fix): boolean {
    if (!this.#drives || this.#line.backlogBytes > fixBacklogBytes) return false
    const { at, latitude, longitude, speedKmh, accuracyM } = fix
    return this.#line.send({
      t: 'fix',
      at,
      la: rounded(latitude, 6),
      lo: rounded(longitude, 6),
      v: speedKmh,
      ac: rounded(accuracyM, 1),
    })
  }

  /** Says how far a message came on this phone. It arrives, however often the line falls. */
  sendReceipt(receipt: DueReceipt) {
    if (this.#receipts.add(receipt)) this.#line.send(receiptUp(receipt))
  }

  #greet(userId: string) {
    this.#userId = userId
    this.#ask()
    for (const receipt of this.#receipts.all) this.#line.send(receiptUp(receipt))
  }

  #ask() {
    this.#askAgain = false
    this.#askToDrive()
    for (const room of this.#rooms.keys()) this.#line.send({ t: 'watch', room })
  }

  #askToDrive() {
    this.#drives = false
    if (this.#driving) this.#line.send({ t: 'drive', session: this.#driving.sessionId })
  }

  /** The answer to `drive` is a snapshot of its room. */
  #beginDriving() {
    if (this.#drives) return
    this.#drives = true
    for (const listener of this.#drivingListeners) listener()
  }

  #hear(frame: Down) {
    if (frame.t === 'beat') this.#beat(frame.versions)
    if (frame.t === 'stale') this.#ask()
    if (frame.t === 'snapshot' && frame.room === this.#drivenRoom) this.#beginDriving()
    if (frame.t === 'refused') this.#hearRefusal(frame)
    for (const room of roomsOf(frame, this.#userId)) {
      if (room.startsWith('session:')) this.#hearSession(room.slice('session:'.length), frame)
      for (const listener of this.#rooms.get(room) ?? []) listener(frame)
    }
  }

  #hearSession(sessionId: string, frame: Down) {
    this.#sessions.hear(sessionId, frame)
    const { session } = this.#sessions.get(sessionId)
    if (session) this.#receipts.settle(sessionId, session.message)
  }

  #beat(versions: Record<string, number>) {
    if (this.#askAgain) this.#ask()
    else this.#catchUp(versions)
  }

  /** The beat knows of a newer message than we do: an event was missed, so ask for the whole state. */
  #catchUp(versions: Record<string, number>) {
    for (const [sessionId, version] of Object.entries(versions)) {
      const room: Room = `session:${sessionId}`
      const known = this.#sessions.get(sessionId).session?.message.version
      if (this.#rooms.has(room) && (known === undefined || version > known)) {
        this.#line.send({ t: 'watch', room })
      }
    }
  }

  #hearRefusal(frame: DownOf<'refused'>) {
    if (isPassing(frame.code)) {
      if (frame.re === 'drive' || frame.re === 'watch') this.#askAgain = true
      return
    }
    if (frame.re !== 'drive' || !this.#driving) return
    this.#receipts.drop(this.#driving.sessionId)
    this.#driving.onRefused(frame.code)
  }

  get #drivenRoom(): Room | null {
    return this.#driving && `session:${this.#driving.sessionId}`
  }

  /** What is known of a session is kept for whoever follows it second: no need to ask again. */
  #ensureWatched(sessionId: string): () => void {
    const room: Room = `session:${sessionId}`
    const isKnown = this.#rooms.has(room) && this.#sessions.get(sessionId).session !== null
    const listener = () => undefined
    return isKnown ? this.#join(room, listener) : this.watch(room, listener)
  }

  #join(room: Room, listener: RoomListener): () => void {
    const listeners = this.#rooms.get(room) ?? new Set()
    this.#rooms.set(room, listeners.add(listener))
    return () => {
      if (!listeners.delete(listener) || listeners.size > 0) return
      this.#rooms.delete(room)
      // Who drives hears the session's room anyway, and to leave it would be to stop driving.
      if (room !== this.#drivenRoom) this.#line.send({ t: 'unwatch', room })
    }
  }
}

function isPassing(code: RefusalCode): boolean {
  return code === 'server-error' || code === 'not-ready' || code === 'too-many'
}

function receiptUp({ version, stage, at }: DueReceipt): Up {
  return { t: 'receipt', version, stage, at }
}

function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits))
}
