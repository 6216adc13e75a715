import type { UserId } from '#contract/ids.ts'
import type { RoomName, Snapshot } from '#contract/live.ts'
import { Refusal } from '#contract/refusal.ts'
import { requireMember } from '../rights/requireMember.ts'
import { requireSessionReader } from '../rights/requireSession.ts'
import { activeSessions, sessionForReader } from '../sessions/sessions.ts'
import { invitationsOf, invitedTo } from '../teams/invitations.ts'
import { membersOf } from '../teams/members.ts'
import { teamsOf } from '../teams/teams.ts'
import type { LiveContext } from './context.ts'

/**
 * Refuses with `not-a-member` if the user may not be in the room or it does not exist. A team's room requires a member,
 * because its snapshot has members and invitations. A session's room requires a reader, such as a television (R9).
 */
export async function requireRoomAccess(
  db: LiveContext['db'],
  room: RoomName,
  userId: UserId,
): Promise<void> {
  const [of, id] = splitRoom(room)
  switch (of) {
    case 'user':
      if (id !== userId) throw new Refusal('not-a-member')
      return
    case 'team':
      return requireMember(db, id, userId)
    case 'session':
      await requireSessionReader(db, id, userId)
  }
}

/** Reads the current state of a room. Refuses users who may not be in it. */
export async function takeSnapshot(
  { db, recorder, clock, hub }: Pick<LiveContext, 'db' | 'recorder' | 'clock' | 'hub'>,
  room: RoomName,
  userId: UserId,
): Promise<Snapshot> {
  const [of, id] = splitRoom(room)
  switch (of) {
    case 'user':
      if (id !== userId) throw new Refusal('not-a-member')
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
      // Checked last, so that a membership removed during the read is noticed.
      await requireMember(db, id, userId)
      return { of, members, invited, sessions, watching: watching(hub, room) }
    }
    case 'session':
      return {
        of,
        session: await sessionForReader(db, recorder, id, userId),
        watching: watching(hub, room),
      }
  }
}

function watching({ presence }: LiveContext['hub'], room: RoomName): UserId[] {
  return [...(presence?.watching(room) ?? [])]
}

function splitRoom(room: RoomName): [of: 'user' | 'team' | 'session', id: string] {
  const colon = room.indexOf(':')
  return [room.slice(0, colon) as 'user' | 'team' | 'session', room.slice(colon + 1)]
}
