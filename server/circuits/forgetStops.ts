import type { Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { Tables } from '../db/schema/tables.ts'

/** Lets the laps of sessions be timed again whose timing has stopped. */
export async function forgetStops(trx: Kysely<Tables>, sessionIds: readonly SessionId[]) {
  await trx
    .updateTable('lap_timings')
    .set({ stopped_by: '' })
    .where('session_id', 'in', sessionIds)
    .where('stopped_by', 'is not', null)
    .execute()
}
