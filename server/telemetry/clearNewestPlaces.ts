import type { Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import { isOneOf } from '../db/isOneOf.ts'
import type { Tables } from '../db/schema/tables.ts'

/** Clears the newest speed and position of locked sessions. The time of the last contact stays. */
export async function clearNewestPlaces(trx: Kysely<Tables>, sessionIds: readonly SessionId[]) {
  await trx
    .updateTable('newest_fixes')
    .set({ speed: null, latitude: null, longitude: null })
    .where(isOneOf('session_id', sessionIds))
    .execute()
}
