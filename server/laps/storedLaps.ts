import type { Insertable, Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { Lap } from '#contract/sessions/laps.ts'
import type { LapsTable } from '../db/schema/tables/laps.ts'
import type { Tables } from '../db/schema/tables.ts'

/** Reads the stored laps of a session, in order of time. */
export async function storedLaps(db: Kysely<Tables>, sessionId: SessionId): Promise<Lap[]> {
  const rows = await db
    .selectFrom('laps')
    .selectAll()
    .where('session_id', '=', sessionId)
    .orderBy('number')
    .execute()
  return rows.map(row => ({
    number: row.number,
    startedAt: row.started_at.getTime(),
    timeMs: row.time_ms,
    plusMinusMs: row.plus_minus_ms,
    kind: row.kind,
    isSeen: row.is_seen,
    yellow: row.yellow_message !== null || row.marked,
    yellowMessage: row.yellow_message,
    marked: row.marked,
  }))
}

export function rowOf(sessionId: SessionId, lap: Lap): Insertable<LapsTable> {
  return {
    session_id: sessionId,
    number: lap.number,
    started_at: new Date(lap.startedAt),
    time_ms: lap.timeMs,
    plus_minus_ms: lap.plusMinusMs,
    kind: lap.kind,
    is_seen: lap.isSeen,
    yellow_message: lap.yellowMessage,
    marked: lap.marked,
  }
}

/** Deletes the laps of a session, its visits to the pits, and the state of their computation. Marks stay, for laps that are computed later. */
export async function deleteLaps(db: Kysely<Tables>, sessionId: SessionId) {
  await db.deleteFrom('laps').where('session_id', '=', sessionId).execute()
  await db.deleteFrom('pit_visits').where('session_id', '=', sessionId).execute()
  await db.deleteFrom('lap_timings').where('session_id', '=', sessionId).execute()
}
