import type { UserId } from '#contract/ids.ts'
import type { Down, RoomName, Snapshot } from '#contract/live.ts'
import { Refusal } from '#contract/refusal.ts'
import { requireRoomAccess, splitRoom } from '../rights/requireRoomAccess.ts'
import { activeSessions, sessionOf } from '../sessions/sessions.ts'
import { invitationsOf, invitedTo } from '../teams/invitations.ts'
import { membersOf } from '../teams/members.ts'
import { teamsOf } from '../teams/teams.ts'
import type { LiveContext } from './context.ts'
import type { Connection } from './publish/connection.ts'
import { encodeFrame } from './publish/frame.ts'

/** Rooms one connection may be in: the app needs two or three. */
const maxRooms = 32

/** A snapshot that became stale while it was read is read again, up to this many reads in total. */
const maxReads = 3

interface RoomEntry {
  connection: Connection
  userId: UserId
  room: RoomName
}

/**
 * Subscribes a connection to a room: checks access, reads the snapshot, which checks access again, and sends
 * the frame that `buildFrame` makes of it, followed by the events published since. The connection receives
 * nothing of the room before that. Refuses with `not-a-member`, which also ends an existing subscription.
 */
export async function enterRoom(
  context: LiveContext,
  { connection, userId, room }: RoomEntry,
  buildFrame: (snapshot: Snapshot) => Down,
): Promise<Snapshot> {
  const { hub } = context
  if (!hub.isSubscribed(room, connection)) {
    if (hub.roomCountOf(connection) >= maxRooms) throw new Refusal('too-many')
    await requireRoomAccess(context.readDb, room, userId)
  }
  const admission = hub.beginAdmission(room, connection)
  try {
    await context.listening(room)
    for (let read = 1; read <= maxReads; read++) {
      admission.beginRead()
      const snapshot = await takeSnapshot(context, room, userId)
      if (snapshot.of === 'session') hub.mergeSession(room, snapshot.session)
      if (hub.admit(admission, encodeFrame(buildFrame(snapshot)))) return snapshot
    }
    throw new Refusal('not-ready')
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not-a-member') hub.leave(room, connection)
    throw error
  } finally {
    hub.cancelAdmission(admission)
  }
}

type SnapshotContext = Pick<LiveContext, 'readDb' | 'recorder' | 'clock' | 'hub' | 'silentIn'>

/** Reads the current state of a room. Refuses users who may not be in it. */
async function takeSnapshot(
  context: SnapshotContext,
  room: RoomName,
  userId: UserId,
): Promise<Snapshot> {
  const snapshot = await readSnapshot(context, room, userId)
  // Checked last, so that a membership removed during the read is noticed.
  await requireRoomAccess(context.readDb, room, userId)
  return snapshot
}

async function readSnapshot(
  { readDb: db, recorder, clock, hub, silentIn }: SnapshotContext,
  room: RoomName,
  userId: UserId,
): Promise<Snapshot> {
  const [of, id] = splitRoom(room)
  switch (of) {
    case 'user':
      return {
        of,
        teams: await teamsOf(db, userId),
        invitations: await invitationsOf(db, userId, clock.now()),
      }
    case 'team': {
      const [members, invited, sessions] = await Promise.all([
        membersOf(db, id),
        invitedTo(db, id, clock.now()),
        activeSessions(db, recorder, id),
      ])
      const silent = silentIn(id)
      return { of, members, invited, sessions, silent, watching: watching(hub, room) }
    }
    case 'session':
      return { of, session: await sessionOf(db, recorder, id), watching: watching(hub, room) }
  }
}

function watching({ presence }: LiveContext['hub'], room: RoomName): UserId[] {
  return [...(presence?.watching(room) ?? [])]
}
