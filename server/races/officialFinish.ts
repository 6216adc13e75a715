import { type Kysely, sql } from 'kysely'
import type { StoredCarRace } from '#contract/carRaces.ts'
import type { RaceId } from '#contract/ids.ts'
import type { Tables } from '../db/schema/tables.ts'

/** Returns whether a race has official timing, and when its finish was shown. */
export async function officialOf(
  db: Kysely<Tables>,
  raceId: RaceId | null,
): Promise<Pick<StoredCarRace, 'officialTiming' | 'finishShownAt'>> {
  if (raceId === null || !(await hasOfficialTiming(db, raceId))) return { officialTiming: false }
  const at = await finishOf(db, raceId)
  return { officialTiming: true, ...(at && { finishShownAt: at.getTime() }) }
}

/**
 * Returns when the finish of a race was shown; null if it was not, or if the race went on after it. A flag by hand counts
 * while the source is silent, as on the glass.
 */
async function finishOf(db: Kysely<Tables>, raceId: RaceId): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    with shown as (
      select at, flag from official_flags where race_id = ${raceId} and flag is not null
      union all
      select entered_at, entry ->> 'flag' from timing_entries
      where race_id = ${raceId} and car_id is null and undone_at is null and not exists (
        select from official_flags seen
        where seen.race_id = ${raceId} and seen.flag is not null and entered_at between seen.at and seen.seen_at
      )
    ), during_race as (
      select at, at >= started_at and flag ~* '^\\s*(finish|check)' as is_finish
      from shown join races on races.id = ${raceId}
      -- The feed goes on with the next race.
      where at <= coalesce(ended_at, 'infinity')
    )
    select min(at) as at from during_race
    where is_finish
      and at > coalesce((select max(at) from during_race where not is_finish), '-infinity')`.execute(
    db,
  )
  return rows[0]?.at ?? null
}

async function hasOfficialTiming(db: Kysely<Tables>, raceId: RaceId): Promise<boolean> {
  const row = await db
    .selectFrom('race_timings')
    .select('race_id')
    .where('race_id', '=', raceId)
    .union(
      db
        .selectFrom('timing_entries')
        .select('race_id')
        .where('race_id', '=', raceId)
        .where('undone_at', 'is', null),
    )
    .executeTakeFirst()
  return row !== undefined
}
