import { type Kysely, sql } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { Lap } from '#contract/sessions/laps.ts'
import { type YellowMessage, yellowMessages } from '#contract/shared/racing/lapKinds.ts'
import type { Tables } from '../db/schema/tables.ts'
import { groupBy } from '../db/statements/groupBy.ts'
import { isOneOf } from '../db/statements/isOneOf.ts'
import { prepared } from '../db/statements/prepared.ts'

/** A time in which FCY or SC was the current message. */
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

export const neverYellow: YellowTimes = { periods: [], marksMs: [] }

/** Reads when FCY or SC was the current message of a session, and which laps members marked. */
export async function yellowTimes(db: Kysely<Tables>, sessionId: SessionId): Promise<YellowTimes> {
  return (await yellowTimesOf(db, [sessionId])).get(sessionId) ?? neverYellow
}

/** Reads the yellow times of several sessions. */
export async function yellowTimesOf(
  db: Kysely<Tables>,
  sessionIds: readonly SessionId[],
): Promise<Map<SessionId, YellowTimes>> {
  const { rows } = await sql<PeriodRow>`${prepared}
    select session_id, type, sent_at, until from (
      select session_id, type, sent_at, version,
        lead(sent_at) over (partition by session_id order by version) as until
      from messages where ${isOneOf('session_id', sessionIds)}
    ) m
    where type in (${sql.join(yellowMessages)})
    order by session_id, version`.execute(db)
  const periods = groupBy(
    rows,
    row => row.session_id,
    ({ type, sent_at, until }) => ({
      type,
      fromMs: sent_at.getTime(),
      untilMs: until?.getTime() ?? null,
    }),
  )
  const marks = await db
    .selectFrom('lap_marks')
    .select(['session_id', 'at'])
    .where(isOneOf('session_id', sessionIds))
    .modifyEnd(prepared)
    .execute()
  const marksMs = groupBy(
    marks,
    row => row.session_id,
    ({ at }) => at.getTime(),
  )
  return new Map(
    sessionIds.map(id => [id, { periods: periods.get(id) ?? [], marksMs: marksMs.get(id) ?? [] }]),
  )
}

interface PeriodRow {
  session_id: SessionId
  type: YellowMessage
  sent_at: Date
  until: Date | null
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
