import type { Framed } from './frame.ts'
import type { Connection } from './hub.ts'
import type { Queued, Room } from './room.ts'

/** Most events held back for one connection. Its snapshot is read again beyond that. */
export const maxHeldEvents = 100

/**
 * A connection that waits for a room's snapshot. Until the snapshot is allowed it receives nothing of the
 * room; events published meanwhile are held back and follow the snapshot, so none is missed.
 */
export class Admission {
  readonly room: Room
  readonly connection: Connection
  #held: Framed[] = []
  #isStale = false

  constructor(room: Room, connection: Connection) {
    this.room = room
    this.connection = connection
  }

  /**
   * True if the snapshot that is being read must not be sent: more happened than is held back, or the user
   * was taken out of the room meanwhile.
   */
  get isStale(): boolean {
    return this.#isStale
  }

  /** The events to follow the snapshot, oldest first. */
  get held(): readonly Framed[] {
    return this.#held
  }

  /** Call before each read of the snapshot: it contains what was published before. */
  beginRead() {
    this.#held = []
    this.#isStale = false
  }

  /** Positions are not held back: the snapshot has the newest one, and the next one comes soon. */
  hold(events: readonly Queued[]) {
    for (const { framed } of events) if (framed.kind !== 'fix') this.#held.push(framed)
    if (this.#held.length > maxHeldEvents) this.revoke()
  }

  /** Discards what is held back. The snapshot has to be read again, which checks the rights again. */
  revoke() {
    this.#held = []
    this.#isStale = true
  }
}
