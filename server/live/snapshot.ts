import type { UserId } from '#contract/ids.ts'
import type { RoomName, Snapshot } from '#contract/live.ts'
import { requireRoomAccess, splitRoom } from '../rights/requireRoomAccess.ts'
import { activeSessions, sessionOf } from '../sessions/sessions.ts'
import { invitationsOf, invitedTo } from '../teams/invitations.ts'
import { membersOf } from '../teams/members.ts'
import { teamsOf } from '../teams/teams.ts'
import type { LiveContext } from './context.ts'

type SnapshotContext = Pick<LiveContext, 'readDb' | 'recorder' | 'clock' | 'hub' | 'silentIn'>

/** Reads the current state of a room. Refuses users who may not be in it. */
export async function takeSnapshot(
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
