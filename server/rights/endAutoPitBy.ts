import type { Transaction } from 'kysely'
import type { SessionId, TeamId, UserId } from '#contract/ids.ts'
import { lockedInOrder } from '../db/lockedInOrder.ts'
import type { Tables } from '../db/schema/tables.ts'

/**
 * Turns automatic PIT off in the active sessions of a team in which this member turned it on. Call it after the change
 * that ends their right to send. Returns these sessions, for `publishRace` after the commit.
 */
export async function endAutoPitBy(
  trx: Transaction<Tables>,
  { teamId, userId }: { teamId: TeamId; userId: UserId },
): Promise<SessionId[]> {
  const rows = await trx
    .updateTable('sessions')
    .set({ auto_pit_by: null })
    .where(
      'id',
      'in',
      lockedInOrder(trx)
        .where('team_id', '=', teamId)
        .where('status', '=', 'Active')
        .where('auto_pit_by', '=', userId),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
