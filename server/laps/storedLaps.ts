import type { Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { Lap } from '#contract/sessions/laps.ts'
import type { Tables } from '../db/schema/tables.ts'
import { groupBy } from '../db/statements/groupBy.ts'
import { isOneOf } from '../db/statements/isOneOf.ts'
import { prepared } from '../db/statements/prepared.ts'

/** Reads the stored laps of a session, in order of time. */
export async function storedLaps(db: Kysely<Tables>, sessionId: SessionId): Promise<Lap[]> {
  return (await storedLapsOf(db, [sessionId])).get(sessionId) ?? []
}

/** Reads the stored laps of sessions that have some, in order of time. */
export async function storedLapsOf(
  db: Kysely<Tables>,
  sessionIds: readonly SessionId[],
): Promise<Map<SessionId, Lap[]>> {
  const rows = await db
    .selectFrom('laps')
    .select(['session_id', 'number', 'started_at', 'time_ms', 'plus_minus_ms', 'kind', 'is_seen'])
    .select(['yellow_message', 'marked'])
    .where(isOneOf('session_id', sessionIds))
    .orderBy('session_id')
    .orderBy('number')
    .modifyEnd(prepared)
    .execute()
  return groupBy(
    rows,
    row => row.session_id,
    row => ({
      number: row.number,
      startedAt: row.started_at.getTime(),
      timeMs: row.time_ms,
      plusMinusMs: row.plus_minus_ms,
      kind: row.kind,
      isSeen: row.is_seen,
      yellow: row.yellow_message !== null || row.marked,
      yellowMessage: row.yellow_message,
      marked: row.marked,
    }),
  )
}

/** Deletes the laps of a session, its visits to the pits, and the state of their computation. Marks stay, for laps that are computed later. */
export async function deleteLaps(db: Kysely<Tables>, sessionId: SessionId) {
  await db.deleteFrom('laps').where('session_id', '=', sessionId).execute()
  await db.deleteFrom('pit_visits').where('session_id', '=', sessionId).execute()
  await db.deleteFrom('lap_timings').where('session_id', '=', sessionId).execute()
}
