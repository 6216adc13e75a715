import { type Kysely, sql } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { Lap } from '#contract/laps.ts'
import type { Tables } from '../db/schema/tables.ts'

/** A time in which FCY or SC was the current message. */
interface YellowPeriod {
  fromMs: EpochMs
  /** Null while it is the current message. */
  untilMs: EpochMs | null
}

/** Reads when FCY or SC was the current message of a session. */
export async function yellowPeriods(
  db: Kysely<Tables>,
  sessionId: SessionId,
): Promise<YellowPeriod[]> {
  const rows = await db
    .selectFrom(from =>
      from
        .selectFrom('messages')
        .select(['type', 'sent_at'])
        .select(sql<Date | null>`lead(sent_at) over (order by version)`.as('until'))
        .where('session_id', '=', sessionId)
        .as('m'),
    )
    .select(['m.sent_at', 'm.until'])
    .where('m.type', 'in', ['FCY', 'SC'])
    .execute()
  return rows.map(({ sent_at, until }) => ({
    fromMs: sent_at.getTime(),
    untilMs: until?.getTime() ?? null,
  }))
}

/** True if one of the periods overlaps the lap. */
export function isYellow(
  { startedAt, timeMs }: Pick<Lap, 'startedAt' | 'timeMs'>,
  periods: readonly YellowPeriod[],
): boolean {
  return periods.some(
    ({ fromMs, untilMs }) =>
      fromMs < startedAt + timeMs && (untilMs ?? Number.POSITIVE_INFINITY) > startedAt,
  )
}
