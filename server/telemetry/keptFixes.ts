import { type Kysely, sql } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { Fix } from '#contract/positions.ts'
import type { Tables } from '../db/tables.ts'

/**
 * Stores fixes that a phone kept in a dead zone, each once, by the time it was taken. Fixes without a
 * position, from outside the session's time, or already stored change nothing. The car's place now is
 * left alone: these are the past. Answers how many were new.
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
  const { numAffectedRows } = await sql`
    insert into positions (session_id, at, latitude, longitude, speed, accuracy_m)
    select s.id, r.at, r.latitude, r.longitude, r.speed, r.accuracy_m
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(
      at timestamptz, latitude float8, longitude float8, speed integer, accuracy_m float8
    )
    join sessions s on s.id = ${sessionId}
    where r.latitude is not null and r.longitude is not null
      and r.at between s.date_started and coalesce(s.date_ended, now())
    on conflict do nothing
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
