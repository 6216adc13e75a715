import { sql, type Transaction } from 'kysely'
import type { SessionId, TeamId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import type { Tables } from '../db/schema/tables.ts'

type Listed = 'cars' | 'drivers'

/** Sorts the cars or drivers of a team. Those that are not named follow the others, in their order until now. */
export async function sortRoster(
  trx: Transaction<Tables>,
  { teamId, what, ids }: { teamId: TeamId; what: Listed; ids: readonly string[] },
): Promise<SessionId[]> {
  const rows = await trx
    .selectFrom(what)
    .select('id')
    .where('team_id', '=', teamId)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const known = rows.map(({ id }) => id)
  const sorted = [...new Set([...ids.filter(id => known.includes(id)), ...known])]
  await sql`
    update ${sql.table(what)} as listed set position = sorted.position
    from unnest(${sql.val(sorted)}::uuid[]) with ordinality as sorted (id, position)
    where listed.id = sorted.id`.execute(trx)
  return []
}

/** Refuses a new entry with `invalid-input` if the list is full. */
export async function requireRoom(
  trx: Transaction<Tables>,
  { what, teamId, id }: { what: Listed; teamId: TeamId; id: string },
) {
  const { all, others } = await trx
    .selectFrom(what)
    .select(({ fn }) => [
      fn.countAll<string | number>().as('all'),
      fn.countAll<string | number>().filterWhere('archived_at', 'is', null).as('others'),
    ])
    .where('team_id', '=', teamId)
    .where('id', '<>', id)
    .executeTakeFirstOrThrow()
  if (Number(all) >= storedBounds.rosterEntries.max)
    throw new Refusal('invalid-input', { detail: 'roster-entries-too-many' })
  if (Number(others) >= storedBounds[what].max)
    throw new Refusal('invalid-input', { detail: storedBounds[what].refusal })
}

/** The position after the last one. */
export async function nextPosition(
  trx: Transaction<Tables>,
  what: Listed,
  teamId: TeamId,
): Promise<number> {
  const { last } = await trx
    .selectFrom(what)
    .select(eb => eb.fn.max('position').as('last'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}
