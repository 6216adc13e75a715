import type { Kysely } from 'kysely'
import type { UserId } from '#contract/ids.ts'
import type { RoomName } from '#contract/live.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Tables } from '../db/schema/tables.ts'
import { requireMember } from './requireMember.ts'
import { requireSessionReader } from './requireSession.ts'

/**
 * Refuses with `not-a-member` if the user may not be in the room or it does not exist. A team's room requires a member,
 * because its snapshot has members and invitations. A session's room requires a reader, such as a television (R9).
 */
export async function requireRoomAccess(
  db: Kysely<Tables>,
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

/** Returns the kind of a room, and the id of its user, team or session. */
export function splitRoom(room: RoomName): [of: 'user' | 'team' | 'session', id: string] {
  const colon = room.indexOf(':')
  return [room.slice(0, colon) as 'user' | 'team' | 'session', room.slice(colon + 1)]
}
