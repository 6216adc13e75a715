import { sql } from 'kysely'
import { shortestLapMs } from '#racing/race/pace.ts'

/** SQL condition on columns of `laps`: the lap is yellow. */
export const isYellow = sql<boolean>`(yellow_message is not null or yellow_flag is not null or marked)`

/** SQL condition on columns of `laps`: the lap shows the pace, as `isCompared` of `racing/race/pace.ts`. */
export const isCompared = sql<boolean>`(
  kind = 'full' and is_seen and not ${isYellow} and time_ms >= ${sql.lit(shortestLapMs)}
)`
