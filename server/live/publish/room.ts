import type { TeamId, UserId } from '#contract/ids.ts'
import type { RoomName } from '#contract/live.ts'
import { CloseCode } from '#contract/shared/liveRules.ts'
import type { Connection } from './connection.ts'
import type { Frame, Framed } from './frame.ts'

/** Above this backlog a connection misses fixes, and any other event closes it. */
export const backlogLimitBytes = 64 * 1024

/** A connection and the rooms it is subscribed to. */
export interface Subscription {
  readonly connection: Connection
  rooms: readonly Room[]
  /** The room whose phone in the car this connection is. */
  driving: Room | null
  /** A room whose events the connection does not receive. */
  muted: Room | null
}

/** An event queued until the end of the tick, and the connection it came from, which does not receive it. */
export interface Queued {
  readonly framed: Framed
  readonly from: Connection | undefined
}

/** Totals since the node started. */
export interface Counts {
  deliveries: number
  skippedFixes: number
  closedConnections: number
}

// Shared by all rooms with an empty queue, which are nearly all of them: never written to.
const emptyQueue: Queued[] = []

const noAdmissions: readonly Admission[] = []

/** One room: its subscribers and their queued events. */
export class Room {
  readonly name: RoomName
  readonly subscriptions = new Set<Subscription>()
  queue = emptyQueue
  /** The newest message version published here: repeated in every heartbeat. */
  version = 0
  /** The newest known answer of the driver: repeated in every heartbeat, because its notice can be lost. */
  answerNumber = 0
  /** The receipt published last: differs from the stored one if its notice was lost. */
  receipt: Frame | null = null
  ended = false
  /** Number of the last change in the order of their numbers: a higher one in the database was missed. Null at first. */
  revision: number | null = null
  /** False while the session's data link is off: its phone may send nothing. */
  dataLink = true
  /** The team of a session's room, known from its first snapshot on. */
  team: TeamId | null = null
  /** Connections waiting for their snapshot. Most of the time there is none. */
  admissions: readonly Admission[] = noAdmissions

  constructor(name: RoomName) {
    this.name = name
  }

  /** Makes the snapshots stale that are being read for this user. */
  revoke(userId: UserId) {
    for (const admission of this.admissions)
      if (admission.connection.userId === userId) admission.revoke()
  }
}

/** Queues an event. Returns whether it is the first in the queue. */
export function enqueue(room: Room, queued: Queued): boolean {
  const isFirst = room.queue.length === 0
  if (isFirst) room.queue = [queued]
  else room.queue.push(queued)
  return isFirst
}

/**
 * Sends a room's queued events, joined into one write per connection. With a list `held`, a connection that
 * also has events in another room is put on hold and added to the list.
 */
export function deliver(room: Room, counts: Counts, held?: Connection[]) {
  const { queue, subscriptions } = room
  if (queue.length === 0) return
  room.queue = emptyQueue
  for (const admission of room.admissions) admission.hold(queue)
  const senders = sendersIn(queue)
  const forAll = join(queue)
  for (const subscription of subscriptions) {
    if (subscription.muted === room) continue
    const { connection } = subscription
    const received = senders.includes(connection)
      ? join(queue.filter(({ from }) => from !== connection))
      : forAll
    if (received.events === 0) continue
    if (held && subscription.rooms.some(hasMore)) {
      connection.hold()
      held.push(connection)
    }
    write(connection, received, counts)
  }
}

interface Joined {
  readonly frame: Frame
  readonly events: number
  readonly onlyFixes: boolean
}

function join(queue: readonly Queued[]): Joined {
  const [only] = queue
  const frame =
    only && queue.length === 1
      ? only.framed.frame
      : Buffer.concat(queue.map(({ framed }) => framed.frame))
  return { frame, events: queue.length, onlyFixes: queue.every(isFix) }
}

function write(connection: Connection, { frame, events, onlyFixes }: Joined, counts: Counts) {
  if (connection.backlogBytes < backlogLimitBytes) {
    counts.deliveries += events
    connection.send(frame)
    // A slow connection misses positions, which are worthless when old. No other event may be
    // lost: the connection is closed, and its client catches up from the next snapshot.
  } else if (onlyFixes) counts.skippedFixes += events
  else if (connection.isOpen) {
    counts.closedConnections += 1
    connection.close(CloseCode.tooSlow)
  }
}

const noSenders: readonly Connection[] = []

function sendersIn(queue: readonly Queued[]): readonly Connection[] {
  let senders: Connection[] | undefined
  for (const { from } of queue) {
    if (from && !senders?.includes(from)) (senders ??= []).push(from)
  }
  return senders ?? noSenders
}

function hasMore({ queue }: Room): boolean {
  return queue.length > 0
}

function isFix({ framed }: Queued): boolean {
  return framed.kind === 'fix'
}

/** Maximum number of events held back for one connection. Its snapshot is read again beyond that. */
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
