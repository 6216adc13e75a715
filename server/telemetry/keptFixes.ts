import { type Kysely, sql } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import { clockToleranceMs } from '#contract/liveRules.ts'
import type { Fix } from '#contract/positions.ts'
import type { Tables } from '../db/tables.ts'
import { Days } from './days.ts'
import { column, tenths } from './storeFixes.ts'

const dayMs = 24 * 60 * 60 * 1000
/** A phone comes out of a dead zone after minutes, out of a drawer after days. */
const oldestKeptDays = 30

/** Receivers give one a second, the quickest ten: more in a second is no drive. */
const mostASecond = 10

interface Kept {
  sessionId: SessionId
  fixes: readonly Fix[]
  historyDays: number
}

/**
 * Stores fixes that a phone kept in a dead zone, each once, by the time it was taken. Fixes without a
 * position, from outside the session's time, from before the driver had them deleted, older than 30 days
 * (or than history is kept), already stored, or beyond ten in one second change nothing. The car's place
 * now is left alone: these are the past. Answers how many were new.
 */
export async function storeKeptFixes(
  db: Kysely<Tables>,
  { sessionId, fixes, historyDays }: Kept,
): Promise<number> {
  const now = Date.now()
  const oldest = now - Math.min(oldestKeptDays, historyDays) * dayMs
  const recent = fixes.filter(({ at }) => at > oldest && at <= now + clockToleranceMs)
  if (recent.length === 0) return 0
  await new Days(db).make(recent.map(({ at }) => at))
  const tolerance = sql`make_interval(secs => ${clockToleranceMs / 1000}::double precision)`
  const { numAffectedRows } = await sql`
    with kept as (
      select to_timestamp(r.at_ms::float8 / 1000) as at, r.latitude, r.longitude, r.speed, r.accuracy_m
      from unnest(
        ${column(recent, each => each.at)}::bigint[],
        ${column(recent, each => each.latitude)}::float8[],
        ${column(recent, each => each.longitude)}::float8[],
        ${column(recent, each => each.speedKmh)}::integer[],
        ${column(recent, each => tenths(each.accuracyM))}::real[]
      ) as r (at_ms, latitude, longitude, speed, accuracy_m)
    ), fresh as (
      select k.*, row_number() over (partition by date_trunc('second', k.at) order by k.at) as nth
      from kept k
      where k.latitude is not null and k.longitude is not null
        and not exists (
          select from positions p where p.session_id = ${sessionId} and p.at = k.at
        )
    )
    insert into positions (session_id, at, latitude, longitude, speed, accuracy_m)
    select s.id, r.at, r.latitude, r.longitude, r.speed, r.accuracy_m
    from fresh r
    join sessions s on s.id = ${sessionId}
    where r.at between s.date_started - ${tolerance} and coalesce(s.date_ended, now()) + ${tolerance}
      and (s.positions_deleted_at is null or r.at > s.positions_deleted_at)
      and r.nth + (
        select count(*) from positions p
        where p.session_id = s.id and p.at >= date_trunc('second', r.at)
          and p.at < date_trunc('second', r.at) + interval '1 second'
      ) <= ${mostASecond}
    for share of s
    on conflict do nothing
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
