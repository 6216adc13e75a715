import { type Kysely, type Selectable, sql } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { Lap } from '#contract/laps.ts'
import type { PitVisit } from '#contract/pitVisits.ts'
import type { LapTimingStop } from '#contract/shared/lapTimingStops.ts'
import type { YellowTimes } from '#racing/timing/yellow.ts'
import { epochMs } from '../db/epochMs.ts'
import { prepared } from '../db/prepared.ts'
import type { Tables } from '../db/schema/tables.ts'
import { column } from '../telemetry/storeFixes.ts'
import { lapsAsJson } from './storedLaps.ts'
import { movesAsJson, type StoredMoves } from './storedMoves.ts'
import { visitsAsJson } from './storedVisits.ts'
import { yellowTimesAsJson } from './yellow.ts'

/** The columns of a session to which its timing must fit. */
type TimedState = Pick<
  Selectable<Tables['sessions']>,
  'lap_timing' | 'positions_deleted_at' | 'status' | 'circuit_id' | 'circuit_version'
>

/** Numbers of the transactions that wrote the rows of a session and of its result: another one means a change. */
export interface ResultVersions {
  session: string
  /** Null without a stored result. */
  result: string | null
}

/** The stored laps of a session, and everything on which new ones depend. */
export interface StoredResult {
  session: TimedState
  versions: ResultVersions
  laps: Lap[]
  visits: PitVisit[]
  /** Null if none are stored yet. */
  moves: StoredMoves | null
  yellow: YellowTimes
  isPoor: boolean
  /** Why its timing stopped; null if it did not. */
  stopped: LapTimingStop | null
  /** Number of positions from which the laps were computed. */
  positions: number
  /** Time of the newest position of the laps; null without any. */
  upToMs: EpochMs | null
  /** Number of the newest change. Without a stored result it is the current time, so that no number is used again. */
  revision: number
}

/**
 * Reads the stored results of sessions in one statement, so that all parts are from the same moment. Later
 * changes also change a version: messages, official flags and deletions of positions that of the session, marks and laps
 * that of the result.
 */
export async function storedResultsOf(
  db: Kysely<Tables>,
  sessionIds: readonly SessionId[],
): Promise<Map<SessionId, StoredResult>> {
  const { rows } = await sql<Row>`${prepared}
    select s.id, s.lap_timing, s.positions_deleted_at, s.status, s.circuit_id, s.circuit_version,
      s.xmin::text as session_version, t.xmin::text as result_version, ${lapsAsJson(sql`s.id`)} as laps, ${visitsAsJson(sql`s.id`)} as visits,
      ${movesAsJson(sql`s.id`)} as moves,
      ${yellowTimesAsJson(sql`s.id`)} as yellow,
      coalesce(t.gps_poor, false) as "isPoor", t.stopped,
      coalesce(t.positions, 0) as positions, ${epochMs(sql`t.computed_up_to`)} as "upToMs",
      coalesce(t.revision::float8, ${epochMs(sql`now()`)}) as revision
    from unnest(${column(sessionIds, id => id)}::uuid[]) as i (id)
    join sessions s on s.id = i.id
    left join lap_timings t on t.session_id = s.id`.execute(db)
  return new Map(rows.map(row => [row.id, resultFrom(row)]))
}

type Row = Omit<StoredResult, 'session' | 'versions'> &
  TimedState & { id: SessionId; session_version: string; result_version: string | null }

function resultFrom(row: Row): StoredResult {
  return {
    ...row,
    session: row,
    versions: { session: row.session_version, result: row.result_version },
  }
}
