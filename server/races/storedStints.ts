import type { Kysely, Selectable } from 'kysely'
import type { DriverId, EpochMs, SessionId, StintId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { maxStints } from '#contract/shared/stintRules.ts'
import type { Stint } from '#contract/stints.ts'
import type { StintsTable } from '../db/schema/races.ts'
import type { Tables } from '../db/schema/tables.ts'

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

/**
 * True if a session has, or had, a stint with this id. Refuses the id of a new stint with `stints-too-many` if the
 * session has no room for it.
 */
export async function isKnown(
  trx: Kysely<Tables>,
  { sessionId, id }: { sessionId: SessionId; id: StintId },
): Promise<boolean> {
  // The first stint may have no row.
  if (id === sessionId) return true
  const { stored, known } = await trx
    .selectFrom('stints')
    .select(eb => eb.fn.countAll<string | number>().as('stored'))
    .select(eb => eb.fn.countAll<string | number>().filterWhere('id', '=', id).as('known'))
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  if (Number(known) > 0) return true
  if (Number(stored) >= maxStints) throw new Refusal('invalid-input', { detail: 'stints-too-many' })
  return false
}

/** Returns when a stint starts, at the latest now. Refuses a time outside its session. */
export function startWithin(
  { date_started, date_ended }: SessionTimes,
  from: EpochMs,
  now: EpochMs,
): EpochMs {
  const at = Math.min(from, now)
  if (at <= date_started.getTime() || (date_ended && at >= date_ended.getTime()))
    throw new Refusal('invalid-input', { fields: { from: 'stint-time' } })
  return at
}

/** Stores a stint, or replaces its driver and start. */
export async function storeStint(
  trx: Kysely<Tables>,
  {
    sessionId,
    id,
    driverId,
    from,
    removedAt = null,
    mergedInto = null,
  }: {
    sessionId: SessionId
    id: StintId
    driverId: DriverId | null
    from: EpochMs
    removedAt?: EpochMs | null
    /** The stint of which this one is a second entry. */
    mergedInto?: StintId | null
  },
) {
  const values = { driver_id: driverId, from_at: new Date(from) }
  const removed_at = removedAt === null ? null : new Date(removedAt)
  await trx
    .insertInto('stints')
    .values({ session_id: sessionId, id, ...values, removed_at, merged_into: mergedInto })
    .onConflict(conflict => conflict.columns(['session_id', 'id']).doUpdateSet(values))
    .execute()
}
