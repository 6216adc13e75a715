import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { Lap } from '#contract/laps.ts'
import { type YellowMessage, yellowMessages } from '#contract/shared/lapKinds.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import { epochMs } from '../db/epochMs.ts'
import { prepared } from '../db/prepared.ts'
import type { Tables } from '../db/schema/tables.ts'

/** The newest messages of a session, whose yellow times count: a day's race has some hundreds. */
const countedMessages = 1000

/** A time in which FCY, SC or Code 60 was the current message. */
interface YellowPeriod {
  type: YellowMessage
  fromMs: EpochMs
  /** Null while it is the current message. */
  untilMs: EpochMs | null
}

/** Everything that makes laps of a session yellow. */
export interface YellowTimes {
  periods: YellowPeriod[]
  /** Times within the laps that members marked. */
  marksMs: EpochMs[]
}

/** The part of a lap that depends on messages and marks. */
export type Yellow = Pick<Lap, 'yellow' | 'yellowMessage' | 'marked'>

type LapTime = Pick<Lap, 'startedAt' | 'timeMs'>

/** Reads when FCY, SC or Code 60 was the current message of a session, and which laps members marked. */
export async function yellowTimes(db: Kysely<Tables>, sessionId: SessionId): Promise<YellowTimes> {
  const { rows } = await sql<{ times: YellowTimes }>`
    ${prepared} select ${yellowTimesAsJson(sql`${sessionId}::uuid`)} as times`.execute(db)
  return rows[0]?.times ?? { periods: [], marksMs: [] }
}

/**
 * Selects the yellow times of a session, as SQL. A message that was carried over from another phone of the car counts
 * from its press: when it is carried over depends on when positions arrive.
 */
export function yellowTimesAsJson(sessionId: RawBuilder<unknown>): RawBuilder<YellowTimes> {
  return sql`json_build_object(
    'periods', (
      select coalesce(json_agg(json_build_object(
        'type', type, 'fromMs', ${epochMs(sql`since`)}, 'untilMs', ${epochMs(sql`until`)}
      ) order by version), '[]')
      from (
        select type, since, version, lead(since) over (order by version) as until
        from (
          select type, version, case when carried_over then pressed_at else sent_at end as since
          from messages where session_id = ${sessionId}
          order by version desc limit ${sql.lit(countedMessages)}
        ) newest
      ) m
      where type in (${sql.join(yellowMessages)})
    ),
    'marksMs', (
      select coalesce(json_agg(${epochMs(sql`at`)}), '[]')
      from (
        select at from lap_marks where session_id = ${sessionId}
        order by at desc limit ${sql.lit(storedBounds.lapMarks.max)}
      ) newest
    )
  )`
}

/** Returns whether a lap is yellow, and why. */
export function yellowOf(lap: LapTime, { periods, marksMs }: YellowTimes): Yellow {
  const endMs = lap.startedAt + lap.timeMs
  const period = periods.find(
    ({ fromMs, untilMs }) =>
      fromMs < endMs && (untilMs ?? Number.POSITIVE_INFINITY) > lap.startedAt,
  )
  const marked = marksMs.some(ms => isWithin(ms, lap))
  const yellowMessage = period?.type ?? null
  return { yellow: yellowMessage !== null || marked, yellowMessage, marked }
}

/** Returns whether a time is within a lap. The end of a lap belongs to the next one. */
export function isWithin(ms: EpochMs, { startedAt, timeMs }: LapTime): boolean {
  return ms >= startedAt && ms < startedAt + timeMs
}
