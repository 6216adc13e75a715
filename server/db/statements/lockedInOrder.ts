import type { Kysely } from 'kysely'
import type { Tables } from '../schema/tables.ts'

/**
 * Selects the ids of sessions for an update of several, and locks them in the order of their ids, as fixes and laps of
 * several sessions do: with another order both could deadlock.
 */
export function lockedInOrder(db: Kysely<Tables>) {
  return db.selectFrom('sessions').select('sessions.id').orderBy('sessions.id').forNoKeyUpdate()
}
