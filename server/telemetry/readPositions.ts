import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import { clockToleranceMs } from '#contract/shared/liveRules.ts'
import type { Tables } from '../db/schema/tables.ts'

export interface StoredPosition {
  at: EpochMs
  latitude: number
  longitude: number
  speedKmh: number | null
  accuracyM: number | null
  headingDeg: number | null
  /** True if `at` is when the position arrived: some tenths of a second after it was measured. */
  atArrival: boolean
}

interface Range {
  sessionId: SessionId
  /** The first time that is read. */
  from?: EpochMs | undefined
  /** The first time that is not read any more. */
  until?: EpochMs | undefined
}

/** Times of the first and last position of a session. */
export interface Span {
  first: EpochMs
  last: EpochMs
}

/**
 * Reads the oldest positions of a session in a range of time, in order of time. Deleted positions are left out,
 * also those whose deletion continues in the background: every call reads again which ones they are.
 */
export async function readPositions(
  db: Kysely<Tables>,
  range: Range,
  limit: number,
): Promise<StoredPosition[]> {
  const bounds = await boundsOf(db, range)
  if (!bounds) return []
  const { rows } = await sql<Row>`
    select (extract(epoch from at) * 1000)::float8 as at_ms, latitude, longitude, speed, accuracy_m,
      heading_deg, at_arrival
    from positions
    where ${within(range.sessionId, bounds)}
    order by at
    limit ${limit}`.execute(db)
  return rows.map(row => ({
    at: Math.round(row.at_ms),
    latitude: row.latitude,
    longitude: row.longitude,
    speedKmh: row.speed,
    accuracyM: row.accuracy_m,
    headingDeg: row.heading_deg,
    atArrival: row.at_arrival === true,
  }))
}

/** Reads the span of a session's positions; null without any. */
export async function readSpan(db: Kysely<Tables>, sessionId: SessionId): Promise<Span | null> {
  const bounds = await boundsOf(db, { sessionId })
  if (!bounds) return null
  const end = (order: RawBuilder<unknown>) => sql`(
    select (extract(epoch from at) * 1000)::float8 from positions
    where ${within(sessionId, bounds)} order by at ${order} limit 1)`
  const { rows } = await sql<{ first_ms: number | null; last_ms: number | null }>`
    select ${end(sql`asc`)} as first_ms, ${end(sql`desc`)} as last_ms`.execute(db)
  const { first_ms, last_ms } = rows[0] ?? { first_ms: null, last_ms: null }
  if (first_ms === null || last_ms === null) return null
  return { first: Math.round(first_ms), last: Math.round(last_ms) }
}

interface Bounds {
  from: Date
  until: Date | null
}

/**
 * Returns the times at which a session can have positions, limited to a range. With them the database reads only the
 * partitions of these days.
 */
async function boundsOf(
  db: Kysely<Tables>,
  { sessionId, from = 0, until }: Range,
): Promise<Bounds | null> {
  const session = await db
    .selectFrom('sessions')
    .select(['date_started', 'date_ended', 'positions_deleted_at'])
    .where('id', '=', sessionId)
    .executeTakeFirst()
  if (!session) return null
  const startedMs = session.date_started.getTime() - clockToleranceMs
  const deletedMs = session.positions_deleted_at?.getTime() ?? 0
  const endedMs = session.date_ended?.getTime()
  const last = endedMs === undefined ? undefined : endedMs + clockToleranceMs + 1
  const untilMs = Math.min(until ?? Number.POSITIVE_INFINITY, last ?? Number.POSITIVE_INFINITY)
  return {
    from: new Date(Math.max(from, startedMs, deletedMs + 1)),
    until: Number.isFinite(untilMs) ? new Date(untilMs) : null,
  }
}

function within(sessionId: SessionId, { from, until }: Bounds): RawBuilder<boolean> {
  return sql`session_id = ${sessionId} and at >= ${from}
    and at < ${until ?? sql`'infinity'`}::timestamptz and latitude is not null and longitude is not null`
}

interface Row extends Omit<Selectable<Tables['positions']>, 'session_id' | 'at'> {
  at_ms: number
  latitude: number
  longitude: number
}
