import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { Lap } from '#contract/sessions/laps.ts'
import type { Tables } from '../db/schema/tables.ts'
import { epochMs } from '../db/statements/epochMs.ts'
import { prepared } from '../db/statements/prepared.ts'

/** Reads the stored laps of a session, in order of time. */
export async function storedLaps(db: Kysely<Tables>, sessionId: SessionId): Promise<Lap[]> {
  const { rows } = await sql<{ laps: Lap[] }>`
    ${prepared} select ${lapsAsJson(sql`${sessionId}::uuid`)} as laps`.execute(db)
  return rows[0]?.laps ?? []
}

/** Selects the stored laps of a session, in order of time, as SQL. */
export function lapsAsJson(sessionId: RawBuilder<unknown>): RawBuilder<Lap[]> {
  return sql`(
    select coalesce(json_agg(json_build_object(
      'number', number, 'startedAt', ${epochMs(sql`started_at`)}, 'timeMs', time_ms,
      'plusMinusMs', plus_minus_ms, 'kind', kind, 'isSeen', is_seen,
      'yellow', yellow_message is not null or marked, 'yellowMessage', yellow_message, 'marked', marked
    ) order by number), '[]')
    from laps where session_id = ${sessionId}
  )`
}

/** Deletes the laps of a session, its visits to the pits, and the state of their computation. Marks stay, for laps that are computed later. */
export async function deleteLaps(db: Kysely<Tables>, sessionId: SessionId) {
  await db.deleteFrom('laps').where('session_id', '=', sessionId).execute()
  await db.deleteFrom('pit_visits').where('session_id', '=', sessionId).execute()
  await db.deleteFrom('lap_timings').where('session_id', '=', sessionId).execute()
}
