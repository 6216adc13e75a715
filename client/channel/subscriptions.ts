import type { Down, RoomName } from '#contract/live.ts'
import type { Connection } from './connection.ts'

/** Receives a room's frames: a snapshot first and after each reconnection, then its events, or a refusal. */
export type RoomListener = (frame: Down) => void

interface Subscription {
  readonly listeners: Set<RoomListener>
  /** True from the request of a snapshot to its arrival. */
  pending?: boolean
  /** True if the next snapshot replaces `start`: after a reconnection, or after missed events. */
  restarting?: boolean
  /** The snapshot or refusal that began the subscription. */
  start?: Down
  /** The last message version of a session that has arrived. */
  version?: number
}

/** The rooms that a page is subscribed to, across reconnections. */
export class Subscriptions {
  readonly #rooms = new Map<RoomName, Subscription>()
  readonly #connection: Pick<Connection, 'send'>
  readonly #isDriven: (room: RoomName) => boolean

  /** A driver stays in the session's room: leaving it would stop driving. */
  constructor(connection: Pick<Connection, 'send'>, isDriven: (room: RoomName) => boolean) {
    this.#connection = connection
    this.#isDriven = isDriven
  }

  get rooms(): RoomName[] {
    return [...this.#rooms.keys()]
  }

  has(room: RoomName): boolean {
    return this.#rooms.has(room)
  }

  /** Adds a listener without requesting a snapshot. Call the result to remove it. */
  listen(room: RoomName, listener: RoomListener): () => void {
    const subscription: Subscription = this.#rooms.get(room) ?? { listeners: new Set() }
    this.#rooms.set(room, subscription)
    const { listeners } = subscription
    listeners.add(listener)
    return () => {
      if (!listeners.delete(listener) || listeners.size > 0) return
      this.#rooms.delete(room)
      if (!this.#isDriven(room)) this.#connection.send({ t: 'unsubscribe', room })
    }
  }

  /** Requests a fresh snapshot, if this page listens to the room; not `again` while one is pending. */
  refresh(room: RoomName, again = true) {
    const subscription = this.#rooms.get(room)
    if (!subscription || (!again && subscription.pending)) return
    subscription.pending = true
    subscription.restarting ||= again
    this.#connection.send({ t: 'subscribe', room })
  }

  /** Requests a fresh snapshot of a session's room if a message version is newer than the received one. */
  catchUp(room: RoomName, version: number) {
    if (version > (this.#rooms.get(room)?.version ?? -1)) this.refresh(room)
  }

  /** Returns the frame that began the subscription to a room; null before. No later event is missed. */
  startOf(room: RoomName): Down | null {
    return this.#rooms.get(room)?.start ?? null
  }

  deliver(room: RoomName, frame: Down) {
    const subscription = this.#rooms.get(room)
    if (!subscription) return
    // Any frame ends it: at worst another snapshot is requested.
    subscription.pending = false
    if (frame.t === 'snapshot' || (frame.t === 'refused' && frame.re === 'subscribe')) {
      if (subscription.restarting || !subscription.start) subscription.start = frame
      subscription.restarting = false
    }
    if (frame.t === 'message') subscription.version = frame.message.version
    if (frame.t === 'snapshot' && frame.snapshot.of === 'session')
      subscription.version = frame.snapshot.session.message.version
    for (const listener of subscription.listeners) listener(frame)
  }
}
