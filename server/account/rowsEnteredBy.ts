import { type Kysely, sql } from 'kysely'
import type { UserId } from '#contract/ids.ts'
import { firstId, inPages, rowsPerPage } from '../db/inPages.ts'
import type { Tables } from '../db/schema/tables.ts'

/** Pages of the driver changes that a user entered. */
export function stintsEnteredBy(db: Kysely<Tables>, userId: UserId) {
  return inPages(
    { session_id: firstId, id: firstId },
    after =>
      db
        .selectFrom('stints')
        .select(['session_id', 'id', 'from_at', 'driver_id', 'removed_at'])
        .where('entered_by', '=', userId)
        .where(sql<boolean>`(session_id, id) > (${after.session_id}::uuid, ${after.id}::uuid)`)
        .orderBy('session_id')
        .orderBy('id')
        .limit(rowsPerPage)
        .execute(),
    row => row,
  )
}

/** Pages of the fuel that a user entered. */
export function fillsBy(db: Kysely<Tables>, userId: UserId) {
  return inPages(
    { session_id: firstId, id: firstId },
    after =>
      db
        .selectFrom('fills')
        .select(['session_id', 'id', 'at', 'litres', 'kind', 'removed_at'])
        .where('entered_by', '=', userId)
        .where(sql<boolean>`(session_id, id) > (${after.session_id}::uuid, ${after.id}::uuid)`)
        .orderBy('session_id')
        .orderBy('id')
        .limit(rowsPerPage)
        .execute(),
    row => row,
  )
}

/** Pages of the official timing that a user entered by hand. */
export function timingEntriesBy(db: Kysely<Tables>, userId: UserId) {
  return inPages(
    { race_id: firstId, id: firstId },
    after =>
      db
        .selectFrom('timing_entries')
        .select(['race_id', 'id', 'car_id', 'entry', 'entered_at', 'undone_at'])
        .where('entered_by', '=', userId)
        .where(sql<boolean>`(race_id, id) > (${after.race_id}::uuid, ${after.id}::uuid)`)
        .orderBy('race_id')
        .orderBy('id')
        .limit(rowsPerPage)
        .execute(),
    row => row,
  )
}

/** Pages of the corrections that a user made to the phones in a car. */
export function runCorrectionsBy(db: Kysely<Tables>, userId: UserId) {
  return inPages(
    { race_id: firstId, car_id: firstId, id: firstId },
    after =>
      db
        .selectFrom('run_corrections')
        .select(['race_id', 'car_id', 'id', 'decisions', 'decided_at', 'removed_at'])
        .where('decided_by', '=', userId)
        .where(
          sql<boolean>`(race_id, car_id, id) > (${after.race_id}::uuid, ${after.car_id}::uuid, ${after.id}::uuid)`,
        )
        .orderBy('race_id')
        .orderBy('car_id')
        .orderBy('id')
        .limit(rowsPerPage)
        .execute(),
    row => row,
  )
}

/** Pages of the changes that a user made to the official timing on drivers' screens. */
export function glassChangesBy(db: Kysely<Tables>, userId: UserId) {
  return inPages(
    { session_id: firstId, at: new Date(0) },
    after =>
      db
        .selectFrom('glass_changes')
        .select(['session_id', 'at', 'parts'])
        .where('changed_by', '=', userId)
        .where(
          sql<boolean>`(session_id, at) > (${after.session_id}::uuid, ${after.at}::timestamptz)`,
        )
        .orderBy('session_id')
        .orderBy('at')
        .limit(rowsPerPage)
        .execute(),
    row => row,
  )
}
