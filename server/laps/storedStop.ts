import { type Kysely, sql } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { LapTimingStop } from '#contract/shared/lapTimingStops.ts'
import type { Tables } from '../db/schema/tables.ts'
import { productVersion } from '../productVersion.ts'

/** Reads why the laps of a session are not timed any further; null while they are. */
export async function storedStop(
  db: Kysely<Tables>,
  sessionId: SessionId,
): Promise<LapTimingStop | null> {
  const row = await db
    .selectFrom('lap_timings')
    .select('stopped')
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return row?.stopped ?? null
}

/** Stores that the laps of a session cannot be timed. The laps that are stored stay. */
export async function storeFailure(db: Kysely<Tables>, sessionId: SessionId) {
  await db
    .insertInto('lap_timings')
    .values({
      session_id: sessionId,
      stopped: 'failed',
      stopped_by: productVersion,
      revision: String(Date.now()),
    })
    .onConflict(conflict =>
      conflict.column('session_id').doUpdateSet({
        stopped: 'failed',
        stopped_by: productVersion,
        revision: sql`lap_timings.revision + 1`,
      }),
    )
    .execute()
}
