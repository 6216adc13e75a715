import { type Kysely, sql } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { Fix } from '#contract/positions.ts'
import type { Tables } from '../db/tables.ts'
import { Days } from './days.ts'
import { column, tenths } from './storeFixes.ts'

const dayMs = 24 * 60 * 60 * 1000
/** A phone comes out of a dead zone after minutes, out of a drawer after days. */
const oldestKeptDays = 30

/**
 * Stores fixes that a phone kept in a dead zone, each once, by the time it was taken. Fixes without a
 * position, from outside the session's time, from before the driver had them deleted, older than 30 days
 * (or than history is kept), or already stored change nothing. The car's place now is left alone: these
 * are the past. Answers how many were new.
 */
export async function storeKeptFixes(
  db: Kysely<Tables>,
  { sessionId, fixes, historyDays }: Kept,
): Promise<number> {
  const now = Date.now()
  const oldest = now - Math.min(oldestKeptDays, historyDays) * dayMs
  const recent = fixes.filter(({ at }) => at > oldest && at <= now)
  if (recent.length === 0) return 0
  await new Days(db).make(recent.map(({ at }) => at))
  const { numAffectedRows } = await sql`
    insert into positions (session_id, at, latitude, longitude, speed, accuracy_m)
    select s.id, to_timestamp(r.at_ms::float8 / 1000), r.latitude, r.longitude, r.speed, r.accuracy_m
    from unnest(
      ${column(recent, each => each.at)}::bigint[],
      ${column(recent, each => each.latitude)}::float8[],
      ${column(recent, each => each.longitude)}::float8[],
      ${column(recent, each => each.speedKmh)}::integer[],
      ${column(recent, each => tenths(each.accuracyM))}::real[]
    ) as r (at_ms, latitude, longitude, speed, accuracy_m)
    join sessions s on s.id = ${sessionId}
    where r.latitude is not null and r.longitude is not null
      and to_timestamp(r.at_ms::float8 / 1000) between s.date_started and coalesce(s.date_ended, now())
      and (s.positions_deleted_at is null or to_timestamp(r.at_ms::float8 / 1000) > s.positions_deleted_at)
    for share of s
    on conflict do nothing
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

interface Kept {
  sessionId: SessionId
  fixes: readonly Fix[]
  historyDays: number
}
