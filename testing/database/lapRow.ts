import type { Insertable } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { Lap } from '#contract/laps.ts'
import type { Tables } from '#server/db/schema/tables.ts'

/** Returns a lap as a row of the table, for tests that need laps without a drive. */
export function lapRow(sessionId: SessionId, lap: Lap): Insertable<Tables['laps']> {
  return {
    session_id: sessionId,
    number: lap.number,
    started_at: new Date(lap.startedAt),
    time_ms: lap.timeMs,
    plus_minus_ms: lap.plusMinusMs,
    kind: lap.kind,
    is_seen: lap.isSeen,
    ends_at_line: lap.endsAtLine === true,
    yellow_message: lap.yellowMessage,
    yellow_flag: lap.yellowFlag ?? null,
    marked: lap.marked,
  }
}
