import { type Kysely, sql } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { PitVisit } from '#contract/races/pitVisits.ts'
import type { Lap } from '#contract/sessions/laps.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { epochMs } from '../../db/statements/epochMs.ts'
import { prepared } from '../../db/statements/prepared.ts'
import { column } from '../../telemetry/storeFixes.ts'
import { lapsAsJson } from '../storedLaps.ts'
import { visitsAsJson } from '../visits/storedVisits.ts'
import { type YellowTimes, yellowTimesAsJson } from '../yellow.ts'

/** The stored laps of a session, and everything on which new ones depend. */
export interface StoredResult {
  laps: Lap[]
  visits: PitVisit[]
  yellow: YellowTimes
  isPoor: boolean
  /** Number of positions from which the laps were computed. */
  positions: number
  /** Time of the newest position of the laps; null without any. */
  upToMs: EpochMs | null
  /** Number of the newest change. Without a stored result it is the current time, so that no number is used again. */
  revision: number
}

/** Reads the stored results of sessions in one statement: while they are locked, each round trip delays their fixes. */
export async function storedResultsOf(
  db: Kysely<Tables>,
  sessionIds: readonly SessionId[],
): Promise<Map<SessionId, StoredResult>> {
  const { rows } = await sql<StoredResult & { id: SessionId }>`${prepared}
    select s.id, ${lapsAsJson(sql`s.id`)} as laps, ${visitsAsJson(sql`s.id`)} as visits,
      ${yellowTimesAsJson(sql`s.id`)} as yellow,
      coalesce(t.gps_poor, false) as "isPoor",
      coalesce(t.positions, 0) as positions, ${epochMs(sql`t.computed_up_to`)} as "upToMs",
      coalesce(t.revision::float8, ${epochMs(sql`now()`)}) as revision
    from unnest(${column(sessionIds, id => id)}::uuid[]) as s (id)
    left join lateral (
      select gps_poor, positions, computed_up_to, revision from lap_timings where session_id = s.id
    ) t on true`.execute(db)
  return new Map(rows.map(({ id, ...result }) => [id, result]))
}
