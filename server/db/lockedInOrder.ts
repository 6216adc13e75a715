import type { Kysely } from 'kysely'
import type { Tables } from './schema/tables.ts'

/**
 * Selects the ids of sessions for an update of several, and locks them in the order of their ids, as fixes and laps of
 * several sessions do: with another order both could deadlock. Fixes can be stored while this lock is held.
 */
export function lockedInOrder(db: Kysely<Tables>) {
  return inOrder(db).forNoKeyUpdate()
}

/**
 * Selects and locks sessions as `lockedInOrder` does, for an update that decides whether a fix may be stored, such as
 * the end of a session: it waits for fixes that are being stored, and later fixes see the update.
 */
export function lockedAgainstFixes(db: Kysely<Tables>) {
  return inOrder(db).forUpdate()
}

function inOrder(db: Kysely<Tables>) {
  return db.selectFrom('sessions').select('sessions.id').orderBy('sessions.id')
}
