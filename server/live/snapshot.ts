import type { UserId } from '#contract/ids.ts'
import type { Room, Snapshot } from '#contract/live.ts'
import { Refusal } from '#contract/refusal.ts'
import { activeSessions, requireSession } from '../sessions/sessions.ts'
import { requireMember } from '../teams/members.ts'
import { membersOf, teamsOf } from '../teams/teams.ts'
import type { Floor } from './floor.ts'

/** What a room is like now, for someone who may be in it. Refuses everybody else. */
export async function takeSnapshot(
  { db, recorder }: Pick<Floor, 'db' | 'recorder'>,
  room: Room,
  userId: UserId,
): Promise<Snapshot> {
  const [of, id] = splitRoom(room)
  switch (of) {
    case 'user':
      if (id !== userId) throw new Refusal('not-a-member')
      return { of, teams: await teamsOf(db, userId) }
    case 'team': {
      const [members, sessions] = await Promise.all([
        membersOf(db, id),
        activeSessions(db, recorder, id),
      ])
      // Last, so that a membership taken away while this was read is noticed.
      await requireMember(db, id, userId)
      return { of, members, sessions }
    }
    case 'session':
      return { of, session: await requireSession(db, recorder, id, userId) }
  }
}

function splitRoom(room: Room): [of: 'user' | 'team' | 'session', id: string] {
  const colon = room.indexOf(':')
  return [room.slice(0, colon) as 'user' | 'team' | 'session', room.slice(colon + 1)]
}
