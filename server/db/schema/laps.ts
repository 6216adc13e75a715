import type { Generated, JSONColumnType } from 'kysely'
import type { LapKind, YellowMessage } from '#contract/shared/lapKinds.ts'
import type { LapTimingStop } from '#contract/shared/lapTimingStops.ts'
import type { Moves } from '#racing/laps/moves.ts'

export interface LapTables {
  laps: {
    session_id: string
    number: number
    started_at: Date
    time_ms: number
    plus_minus_ms: number
    kind: LapKind
    is_seen: boolean
    ends_at_line: Generated<boolean>
    yellow_message: YellowMessage | null
    /** An official flag. */
    yellow_flag: string | null
    marked: boolean
  }

  lap_marks: {
    session_id: string
    at: Date
  }

  pit_visits: {
    session_id: string
    started_at: Date
    ended_at: Date | null
    stopped_at: Date | null
    left_at: Date | null
  }

  session_moves: {
    session_id: string
    drives: JSONColumnType<Moves['drives'][number][]>
    departures: JSONColumnType<Moves['departures'][number][], string | undefined>
    silences: JSONColumnType<Moves['silences'][number][]>
    moving_since: Date | null
    last_fix_at: Date | null
  }

  lap_timings: {
    session_id: string
    gps_poor: Generated<boolean>
    positions: Generated<number>
    computed_up_to: Date | null
    finished: Generated<boolean>
    revision: Generated<string>
    stopped: LapTimingStop | null
    /** Version of the product that stopped; empty once the laps are to be timed again. */
    stopped_by: string | null
  }
}
