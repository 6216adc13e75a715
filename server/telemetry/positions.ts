import { type Kysely, type Selectable, sql } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import { leastOf } from '#contract/shared/extremes.ts'
import { kmhPerMps } from '#contract/shared/fix.ts'
import { clockToleranceMs } from '#contract/shared/liveRules.ts'
import type { RacingFix } from '#racing/fix.ts'
import { epochMs } from '../db/epochMs.ts'
import { prepared } from '../db/prepared.ts'
import type { Tables } from '../db/schema/tables.ts'
import { column } from './storeFixes.ts'

/** A position whose place may be unknown. */
export interface StoredFix {
  readonly sessionId: SessionId
  readonly atMs: EpochMs
  /** Null without a place. */
  readonly fix: RacingFix | null
}

/** How far the positions of a session were read: up to `afterMs`. */
export interface Cursor {
  readonly sessionId: SessionId
  readonly afterMs: EpochMs
}

/**
 * Positions of a session before this time are not read: they were deleted, or are being deleted. Without a deletion the
 * limit only lets the database skip the partitions of earlier days.
 */
export function firstPossibleMs(session: {
  date_started: Date
  positions_deleted_at: Date | null
}): EpochMs {
  const startedMs = session.date_started.getTime() - clockToleranceMs - 1
  return Math.max(startedMs, session.positions_deleted_at?.getTime() ?? startedMs)
}

/** Reads the next positions of sessions, at most `limit` in total: of each session the oldest, in order of time. */
export async function nextPositions(
  db: Kysely<Tables>,
  cursors: readonly Cursor[],
  limit: number,
): Promise<StoredFix[]> {
  // One time for all: the database then skips the partitions of earlier days.
  const oldest = new Date(leastOf(cursors.map(({ afterMs }) => afterMs)))
  // As JSON, which is sent and parsed in half the time of rows.
  const { rows } = await sql<{ positions: Row[] }>`${prepared}
    select coalesce(json_agg(position), '[]') as positions
    from (
      select s.id, date_part('epoch', p.at) * 1000 as at_ms,
        p.latitude, p.longitude, p.speed, p.accuracy_m, p.heading_deg, p.at_arrival
      from unnest(
        ${column(cursors, each => each.sessionId)}::uuid[],
        ${column(cursors, each => each.afterMs)}::bigint[]
      ) as s (id, after_ms)
      cross join lateral (
        select at, latitude, longitude, speed, accuracy_m, heading_deg, at_arrival from positions
        where session_id = s.id and at > to_timestamp(s.after_ms::float8 / 1000)
          and at > ${oldest}::timestamptz
        order by at
        limit ${limit}::bigint
      ) p
      limit ${limit}::bigint
    ) position`.execute(db)
  const [{ positions } = { positions: [] }] = rows
  return positions.map(row => {
    const atMs = Math.round(row.at_ms)
    return { sessionId: row.id, atMs, fix: fixFrom(row, atMs) }
  })
}

/** Counts the positions of a session after a time. */
export async function countPositions(
  db: Kysely<Tables>,
  { sessionId, startMs }: { sessionId: SessionId; startMs: EpochMs },
): Promise<number> {
  const counts = await countPositionsOf(db, [{ sessionId, startMs, afterMs: startMs }])
  return counts.get(sessionId)?.later ?? 0
}

/** Numbers of stored positions of a session. */
interface PositionCounts {
  /** Up to `afterMs`. */
  timed: number
  /** After `afterMs`. */
  later: number
}

/** Counts the positions of each session after its `startMs`, up to its `afterMs` and later ones. */
export async function countPositionsOf(
  db: Kysely<Tables>,
  sessions: readonly (Cursor & { startMs: EpochMs })[],
): Promise<Map<SessionId, PositionCounts>> {
  if (sessions.length === 0) return new Map()
  // A constant: the planner then skips the partitions of earlier days.
  const oldest = new Date(leastOf(sessions.map(({ startMs }) => startMs)))
  const { rows } = await sql<PositionCounts & { id: SessionId }>`
    select s.id, p.timed, p.later
    from unnest(
      ${column(sessions, each => each.sessionId)}::uuid[],
      ${column(sessions, each => each.startMs)}::bigint[],
      ${column(sessions, each => each.afterMs)}::bigint[]
    ) as s (id, start_ms, after_ms)
    cross join lateral (
      select count(*) filter (where at <= to_timestamp(s.after_ms::float8 / 1000))::integer as timed,
        count(*) filter (where at > to_timestamp(s.after_ms::float8 / 1000))::integer as later
      from positions
      where session_id = s.id and at > to_timestamp(s.start_ms::float8 / 1000) and at > ${oldest}
    ) p`.execute(db)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** Reads the time of the newest position of each session after its `afterMs`, if there is one. */
export async function newestPositions(
  db: Kysely<Tables>,
  cursors: readonly Cursor[],
): Promise<Map<SessionId, EpochMs>> {
  if (cursors.length === 0) return new Map()
  // A constant: the planner then skips the partitions of earlier days.
  const oldest = new Date(leastOf(cursors.map(({ afterMs }) => afterMs)))
  const { rows } = await sql<{ id: SessionId; atMs: EpochMs }>`
    select s.id, ${epochMs(sql`p.at`)} as "atMs"
    from unnest(
      ${column(cursors, each => each.sessionId)}::uuid[],
      ${column(cursors, each => each.afterMs)}::bigint[]
    ) as s (id, after_ms)
    cross join lateral (
      select at from positions
      where session_id = s.id and at > to_timestamp(s.after_ms::float8 / 1000) and at > ${oldest}
      order by at desc limit 1
    ) p`.execute(db)
  return new Map(rows.map(({ id, atMs }) => [id, atMs]))
}

interface Row extends Omit<Selectable<Tables['positions']>, 'session_id' | 'at'> {
  id: SessionId
  at_ms: number
}

function fixFrom(row: Row, atMs: EpochMs): RacingFix | null {
  const { latitude, longitude, speed, accuracy_m, heading_deg, at_arrival } = row
  if (latitude === null || longitude === null) return null
  return {
    atMs,
    latitude,
    longitude,
    speedMps: speed === null ? null : speed / kmhPerMps,
    headingDeg: heading_deg,
    accuracyM: accuracy_m,
    ...(at_arrival && { atArrival: true }),
  }
}
