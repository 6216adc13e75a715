import type { Kysely, Selectable } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { Stint } from '#contract/races/stints.ts'
import type { StintsTable, Tables } from '../db/schema/tables.ts'

/** The columns of a session that its stints follow from. */
interface SessionTimes {
  id: SessionId
  date_started: Date
  date_ended: Date | null
}

/** Reads the stints of a session, in order of time. */
export async function stintsOf(db: Kysely<Tables>, session: SessionTimes): Promise<Stint[]> {
  const rows = await db
    .selectFrom('stints')
    .selectAll()
    .where('session_id', '=', session.id)
    .where('removed_at', 'is', null)
    .orderBy('from_at')
    .orderBy('id')
    .execute()
  return stintsFromRows(rows, session)
}

/** Adds the first stint if it has no row, and the ends. */
export function stintsFromRows(
  rows: readonly Pick<Selectable<StintsTable>, 'id' | 'driver_id' | 'from_at'>[],
  { id, date_started, date_ended }: SessionTimes,
): Stint[] {
  const first = rows.find(row => row.id === id)
  const all = [
    { id, driver_id: first?.driver_id ?? null, from_at: date_started },
    ...rows.filter(row => row.id !== id),
  ]
  return all.map((row, index) => ({
    id: row.id,
    number: index + 1,
    driverId: row.driver_id,
    from: row.from_at.getTime(),
    to: (all[index + 1]?.from_at ?? date_ended)?.getTime() ?? null,
  }))
}
