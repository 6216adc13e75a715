import type { Framed } from './frame.ts'
import type { Connection } from './hub.ts'
import type { Queued, Room } from './room.ts'

/** Most events held back for one connection. Its snapshot is read again beyond that. */
export const maxHeldEvents = 100

/**
 * A connection that waits for a room's snapshot. Until then it receives nothing of the room. Events published
 * during the read are queued and follow the snapshot, so that none is missed.
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
   * True if the snapshot being read must not be sent: too many events were published since, or the user was
   * removed from the room.
   */
  get isStale(): boolean {
    return this.#isStale
  }

  /** The events to send after the snapshot, oldest first. */
  get held(): readonly Framed[] {
    return this.#held
  }

  /** Call before each read of the snapshot, which contains everything published until then. */
  beginRead() {
    this.#held = []
    this.#isStale = false
  }

  /**
   * Queues events until the snapshot is sent. Fixes are skipped: the snapshot has the newest, and the next
   * follows within a second.
   */
  hold(events: readonly Queued[]) {
    for (const { framed } of events) if (framed.kind !== 'fix') this.#held.push(framed)
    if (this.#held.length > maxHeldEvents) this.revoke()
  }

  /**
   * Discards the queued events and makes the snapshot stale: reading it again checks the access rights again.
   */
  revoke() {
    this.#held = []
    this.#isStale = true
  }
}
