import type { Down, RoomName } from '#contract/live.ts'
import type { Connection } from './connection/connection.ts'

/** Receives a room's frames: a snapshot first and after each reconnection, then its events, or a refusal. */
export type RoomListener = (frame: Down) => void

/** The rooms that a page is subscribed to, across reconnections. */
export class Subscriptions {
  readonly #listeners = new Map<RoomName, Set<RoomListener>>()
  /** Rooms whose snapshot was requested and has not arrived. */
  readonly #pending = new Set<RoomName>()
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
      this.#pending.delete(room)
      if (!this.#isDriven(room)) this.#connection.send({ t: 'unsubscribe', room })
    }
  }

  /** Requests a fresh snapshot, if this page listens to the room. */
  refresh(room: RoomName) {
    if (!this.has(room)) return
    this.#pending.add(room)
    this.#connection.send({ t: 'subscribe', room })
  }

  /** True if a requested snapshot of the room has not arrived yet. */
  isPending(room: RoomName): boolean {
    return this.#pending.has(room)
  }

  deliver(room: RoomName, frame: Down) {
    if (frame.t === 'snapshot' || frame.t === 'refused') this.#pending.delete(room)
    for (const listener of this.#listeners.get(room) ?? []) listener(frame)
  }
}
