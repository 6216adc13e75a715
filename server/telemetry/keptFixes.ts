import { type Kysely, sql } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import { clockToleranceMs } from '#contract/liveRules.ts'
import type { Fix } from '#contract/positions.ts'
import type { Tables } from '../db/tables.ts'

/** Receivers give one a second, the quickest ten: more in a second is no drive. */
const mostASecond = 10

/**
 * Stores fixes that a phone kept in a dead zone, each once, by the time it was taken. Fixes without a
 * position, from outside the session's time, already stored, or beyond ten in one second change nothing.
 * The car's place now is left alone: these are the past. Answers how many were new.
 */
export async function storeKeptFixes(
  db: Kysely<Tables>,
  sessionId: SessionId,
  fixes: readonly Fix[],
): Promise<number> {
  const rows = fixes.map(({ at, latitude, longitude, speedKmh, accuracyM }) => ({
    at: new Date(at),
    latitude,
    longitude,
    speed: speedKmh,
    accuracy_m: accuracyM === null ? null : Math.round(accuracyM * 10) / 10,
  }))
  const tolerance = sql`make_interval(secs => ${clockToleranceMs / 1000}::double precision)`
  const { numAffectedRows } = await sql`
    with fresh as (
      select r.*, row_number() over (partition by date_trunc('second', r.at) order by r.at) as nth
      from json_to_recordset(${JSON.stringify(rows)}::json) as r(
        at timestamptz, latitude float8, longitude float8, speed integer, accuracy_m float8
      )
      where r.latitude is not null and r.longitude is not null
        and not exists (
          select from positions p where p.session_id = ${sessionId} and p.at = r.at
        )
    )
    insert into positions (session_id, at, latitude, longitude, speed, accuracy_m)
    select s.id, r.at, r.latitude, r.longitude, r.speed, r.accuracy_m
    from fresh r
    join sessions s on s.id = ${sessionId}
    where r.at between s.date_started - ${tolerance} and coalesce(s.date_ended, now()) + ${tolerance}
      and r.nth + (
        select count(*) from positions p
        where p.session_id = s.id and p.at >= date_trunc('second', r.at)
          and p.at < date_trunc('second', r.at) + interval '1 second'
      ) <= ${mostASecond}
    on conflict do nothing
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
