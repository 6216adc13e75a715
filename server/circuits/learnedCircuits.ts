import type { Kysely } from 'kysely'
import type { TeamId } from '#contract/ids.ts'
import { maxLearnedCircuits } from '#contract/shared/circuits/circuitRules.ts'
import type { Tables } from '../db/schema/tables.ts'

/**
 * Makes room for another learned circuit: deletes the oldest ones that nobody has named and no car drives on, as if a
 * member had deleted them. Requires `lockCircuits`.
 */
export async function makeRoomForLearned(trx: Kysely<Tables>, teamId: TeamId) {
  const learned = trx
    .selectFrom('circuits')
    .where('team_id', '=', teamId)
    .where('source', '=', 'learned')
    .where('deleted_at', 'is', null)
  const { count } = await learned
    .select(({ fn }) => fn.countAll<string | number>().as('count'))
    .executeTakeFirstOrThrow()
  const tooMany = Number(count) + 1 - maxLearnedCircuits
  if (tooMany <= 0) return
  const oldest = await learned
    .select('id')
    .where('name', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sessions')
            .select('sessions.id')
            .whereRef('sessions.team_id', '=', 'circuits.team_id')
            .whereRef('sessions.circuit_id', '=', 'circuits.id')
            .where('status', '=', 'Active'),
        ),
      ),
    )
    .orderBy('created_at')
    .limit(tooMany)
    .execute()
  if (oldest.length === 0) return
  await trx
    .updateTable('circuits')
    .set({ deleted_at: new Date() })
    .where('team_id', '=', teamId)
    .where(
      'id',
      'in',
      oldest.map(({ id }) => id),
    )
    .execute()
}
