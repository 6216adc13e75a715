import type { Kysely } from 'kysely'
import type { SessionId, TeamId } from '#contract/ids.ts'
import type { Tables } from './schema/tables.ts'

/** The room of a team, or of one of its sessions. */
interface Room {
  team: TeamId
  session?: SessionId | undefined
}

/**
 * Counts a change in some rooms, in their order, and returns its numbers there. Other nodes notice by it a change that was
 * not published to them (R8).
 */
export async function countInRooms(db: Kysely<Tables>, rooms: readonly Room[]): Promise<number[]> {
  if (rooms.length === 0) return []
  const rows = await db
    .insertInto('room_revisions')
    .values(rooms.map(({ team, session }) => ({ team_id: team, session_id: session ?? null })))
    .onConflict(conflict =>
      conflict
        .columns(['team_id', 'session_id'])
        .doUpdateSet(({ eb }) => ({ revision: eb('room_revisions.revision', '+', 1) })),
    )
    .returning('revision')
    .execute()
  return rows.map(({ revision }) => revision)
}
