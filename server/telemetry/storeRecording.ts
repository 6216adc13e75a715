import { type Kysely, sql } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import { isPartMissing } from '../db/errors.ts'
import type { Tables } from '../db/schema/tables.ts'
import { Days } from './days.ts'
import { column, singlePrecision, tenths } from './storeFixes.ts'

/** Fixes in one statement: about 25 ms of the embedded database, the longest a message to the driver waits. */
const fixesPerStatement = 500

/**
 * Only every eighth statement waits for the disk, also for those before it: twice as fast as if each waited. With a
 * larger number, a message to the driver would be delayed, because its commit waits for all of them.
 */
const statementsPerSync = 8

/** Fixes as columns of the same length. NaN is an unknown value. */
export interface FixColumns {
  readonly at: Float64Array
  readonly latitude: Float64Array
  readonly longitude: Float64Array
  readonly speedKmh: Float64Array
  readonly accuracyM: Float64Array
  readonly headingDeg: Float64Array
}

/**
 * Stores the fixes of a recording, in order of time, unless its positions have been deleted or the session does not exist
 * any more. Idempotent. Once all fixes are on the disk, returns how many of them were not stored before. Returns null if
 * some could not be stored. Stops when `signal` is aborted, and throws its reason.
 */
export async function storeRecording(
  db: Kysely<Tables>,
  sessionId: SessionId,
  fixes: FixColumns,
  signal?: AbortSignal,
): Promise<number | null> {
  const days = new Days(db)
  let total = 0
  for (let from = 0; from < fixes.at.length; from += fixesPerStatement) {
    signal?.throwIfAborted()
    const portion = portionOf(fixes, from)
    const end = from + portion.length
    const isSynced = end === fixes.at.length || end % (statementsPerSync * fixesPerStatement) === 0
    const store = async () => {
      await days.make(portion.map(({ at }) => at))
      return storePortion(db, { sessionId, portion, isSynced })
    }
    const added = await store().catch((error: unknown) => {
      if (!isPartMissing(error)) throw error
      // The scheduled job has dropped an old day since.
      days.forget()
      return store()
    })
    if (added === null) return null
    total += added
  }
  return total
}

type Fix = Record<keyof FixColumns, number>

function portionOf(fixes: FixColumns, from: number): Fix[] {
  const count = Math.min(fixesPerStatement, fixes.at.length - from)
  const value = (values: Float64Array, index: number) => values[from + index] ?? Number.NaN
  return Array.from({ length: count }, (_, index) => ({
    at: value(fixes.at, index),
    latitude: value(fixes.latitude, index),
    longitude: value(fixes.longitude, index),
    speedKmh: value(fixes.speedKmh, index),
    accuracyM: value(fixes.accuracyM, index),
    headingDeg: value(fixes.headingDeg, index),
  }))
}

/** Stores fixes with the session locked, so that a deletion of its positions runs before or after, not in between. */
async function storePortion(
  db: Kysely<Tables>,
  { sessionId, portion, isSynced }: { sessionId: SessionId; portion: Fix[]; isSynced: boolean },
): Promise<number | null> {
  const known = (value: number) => (Number.isNaN(value) ? null : value)
  const { rows } = await sql<{ sessions: number; added: number }>`
    with session as (
      select id from sessions where id = ${sessionId} and positions_deleted_at is null for share
    ), inserted as (
      insert into positions
        (session_id, at, latitude, longitude, speed, accuracy_m, heading_deg)
      select s.id, to_timestamp(r.at_ms::float8 / 1000), r.latitude, r.longitude, r.speed,
        r.accuracy_m, r.heading_deg
      from unnest(
        ${column(portion, each => each.at)}::bigint[],
        ${column(portion, each => each.latitude)}::float8[],
        ${column(portion, each => each.longitude)}::float8[],
        ${column(portion, each => known(each.speedKmh))}::integer[],
        ${column(portion, each => tenths(known(each.accuracyM)))}::real[],
        ${column(portion, each => singlePrecision(known(each.headingDeg)))}::real[]
      ) as r (at_ms, latitude, longitude, speed, accuracy_m, heading_deg)
      cross join session s
      on conflict do nothing
      returning 1
    )
    select count(*)::integer as sessions, (select count(*) from inserted)::integer as added,
      set_config('synchronous_commit', ${isSynced ? 'on' : 'off'}, true)
    from session`.execute(db)
  const [row] = rows
  return row?.sessions === 1 ? row.added : null
}
