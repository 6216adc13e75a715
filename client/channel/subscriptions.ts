import type { Down, RoomName } from '#contract/live.ts'
import type { Connection } from './connection.ts'

/** Receives a room's frames: a snapshot first and after each reconnection, then its events, or a refusal. */
export type RoomListener = (frame: Down) => void

/** The rooms that a page is subscribed to, across reconnections. */
export class Subscriptions {
  readonly #listeners = new Map<RoomName, Set<RoomListener>>()
  /** Listeners of rooms whose snapshot was requested and has not arrived. */
  readonly #pending = new WeakSet<Set<RoomListener>>()
  /** The first snapshot, or refusal, of each subscription. */
  readonly #starts = new WeakMap<Set<RoomListener>, Down>()
  /** Listeners whose next snapshot begins a new subscription: after a reconnection, or after missed events. */
  readonly #restarting = new WeakSet<Set<RoomListener>>()
  readonly #connection: Pick<Connection, 'send'>
  readonly #isDriven: (room: RoomName) => boolean

  /** A driver stays in the session's room: leaving it would stop driving. */
  constructor(connection: Pick<Connection, 'send'>, isDriven: (room: RoomName) => boolean) {
    this.#connection = connection
    this.#isDriven = isDriven
  }

  get rooms(): RoomName[] {
    return [...this.#listeners.keys()]
  }

  has(room: RoomName): boolean {
    return this.#listeners.has(room)
  }

  /** Adds a listener without requesting a snapshot. Call the result to remove it. */
  listen(room: RoomName, listener: RoomListener): () => void {
    const listeners = this.#listeners.get(room) ?? new Set()
    this.#listeners.set(room, listeners.add(listener))
    return () => {
      if (!listeners.delete(listener) || listeners.size > 0) return
      this.#listeners.delete(room)
      if (!this.#isDriven(room)) this.#connection.send({ t: 'unsubscribe', room })
    }
  }

  /** Requests a fresh snapshot, if this page listens to the room; not `again` while one is pending. */
  refresh(room: RoomName, again = true) {
    const listeners = this.#listeners.get(room)
    if (!listeners || (!again && this.#pending.has(listeners))) return
    this.#pending.add(listeners)
    if (again) this.#restarting.add(listeners)
    this.#connection.send({ t: 'subscribe', room })
  }

  /** Returns the frame that began the subscription to a room; null before. No later event is missed. */
  startOf(room: RoomName): Down | null {
    const listeners = this.#listeners.get(room)
    return (listeners && this.#starts.get(listeners)) ?? null
  }

  deliver(room: RoomName, frame: Down) {
    const listeners = this.#listeners.get(room)
    if (!listeners) return
    // Any frame ends it: at worst another snapshot is requested.
    this.#pending.delete(listeners)
    if (frame.t === 'snapshot' || (frame.t === 'refused' && frame.re === 'subscribe')) {
      if (this.#restarting.delete(listeners) || !this.#starts.has(listeners))
        this.#starts.set(listeners, frame)
    }
    for (const listener of listeners) listener(frame)
  }
}
