import type { UserId } from '#contract/ids.ts'
import type { Down, RoomName, Snapshot } from '#contract/live.ts'
import { Refusal } from '#contract/refusal.ts'
import type { LiveContext } from './context.ts'
import { encodeFrame } from './frame.ts'
import type { Connection, Hub } from './hub.ts'
import { requireRoomAccess, takeSnapshot } from './snapshot.ts'

/** Rooms one connection may be in: the app needs two or three. */
const maxRooms = 32

/** How often a snapshot is read that became stale while it was read. */
const maxReads = 3

interface Entrant {
  connection: Connection
  userId: UserId
  room: RoomName
}

/**
 * Subscribes a connection to a room: checks the right to be there, reads the snapshot, which checks it again,
 * and sends what `answer` makes of it, followed by the events since. Before that the connection receives
 * nothing of the room. Refuses with `not-a-member`, which also ends a subscription it had.
 */
export async function enterRoom(
  context: LiveContext,
  { connection, userId, room }: Entrant,
  answer: (snapshot: Snapshot) => Down,
): Promise<Snapshot> {
  const { hub } = context
  if (!hub.isSubscribed(room, connection)) {
    if (hub.roomCountOf(connection) >= maxRooms) throw new Refusal('too-many')
    await requireRoomAccess(context.db, room, userId)
  }
  const admission = hub.beginAdmission(room, connection)
  try {
    await context.listening()
    for (let read = 1; read <= maxReads; read++) {
      admission.beginRead()
      const snapshot = await takeSnapshot(context, room, userId)
      learnSession(hub, room, snapshot)
      if (hub.admit(admission, encodeFrame(answer(snapshot)))) return snapshot
    }
    throw new Refusal('not-ready')
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not-a-member') hub.leave(room, connection)
    throw error
  } finally {
    hub.cancelAdmission(admission)
  }
}

/** The room knows at least what its session's snapshot says. */
function learnSession(hub: Hub, room: RoomName, snapshot: Snapshot) {
  if (snapshot.of !== 'session') return
  hub.mergeVersion(room, snapshot.session.message.version)
  if (snapshot.session.status === 'Complete') hub.markEnded(room)
}
