import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { EpochMs, SessionId, UserId } from '#contract/ids.ts'
import { firstId, inPages, rowsPerPage } from '../db/inPages.ts'
import type { Tables } from '../db/schema/tables.ts'
import { tryEach } from '../tryEach.ts'
import { clearNewestPlaces } from './clearNewestPlaces.ts'

/** Batch size: about 20 ms of the embedded database, the longest a message to the driver waits. */
const portion = 2000

/** Tables derived from the positions of a session. */
const derivedTables = ['laps', 'pit_visits', 'session_moves', 'lap_marks', 'lap_timings']

interface Whose {
  userId: UserId
  /** Absent: all sessions that the user has driven. */
  sessionId?: SessionId | undefined
  /** Deletes the laps too. */
  withLaps?: boolean | undefined
  now: EpochMs
}

export interface PositionDeletion {
  sessionId: SessionId
  upTo: Date
}

/**
 * Begins to delete the positions of sessions that a user has driven, and clears their cars' current
 * positions. Fixes from before this moment are never stored, even if a node or a phone still has them.
 * Returns the pending deletions for `deleteNextPositions`, the number already deleted, and the active
 * sessions.
 */
export function beginDeletion(
  db: Kysely<Tables>,
  { userId, sessionId, withLaps = false, now }: Whose,
) {
  const upTo = new Date(now)
  return db.transaction().execute(async trx => {
    await lockSessions(trx, userId, sessionId)
    const sessions = await trx
      .updateTable('sessions')
      .set({
        positions_deleted_at: upTo,
        // The driver may import the same recording again, as a session of its own.
        recording_hash: null,
        recorded_line: null,
        recorded_positions: sql`recorded_positions * 0`,
      })
      .where('user_id', '=', userId)
      .$if(sessionId !== undefined, query => query.where('id', '=', sessionId ?? ''))
      .returning(['id', 'status'])
      .execute()
    if (sessions.length === 0) return { deleted: 0, deletions: [], active: [] }
    const all = sql`any(${`{${sessions.map(({ id }) => id).join(',')}}`}::text::uuid[])`
    await clearNewestPlaces(
      trx,
      sessions.map(({ id }) => id),
    )
    await deleteLearnedCircuits(trx, all)
    if (withLaps)
      for (const table of derivedTables)
        await sql`delete from ${sql.table(table)} where session_id = ${all}`.execute(trx)
    const deletions = sessions.map(({ id }): PositionDeletion => ({ sessionId: id, upTo }))
    await trx
      .insertInto('position_deletions')
      .values(deletions.map(each => ({ session_id: each.sessionId, up_to: upTo })))
      .onConflict(conflict => conflict.column('session_id').doUpdateSet({ up_to: upTo }))
      .execute()
    // Deletes fixes from clocks that are a little ahead at once, because later they would look like new fixes.
    const { numDeletedRows } = await trx
      .deleteFrom('positions')
      .where(sql<boolean>`session_id = ${all}`)
      .where('at', '>', upTo)
      .executeTakeFirstOrThrow()
    const active = sessions.filter(({ status }) => status === 'Active').map(({ id }) => id)
    return { deleted: Number(numDeletedRows), deletions, active }
  })
}

/** Locks the sessions whose positions are deleted, and their teams before them, as changes of circuits do. */
async function lockSessions(trx: Kysely<Tables>, userId: UserId, sessionId: SessionId | undefined) {
  const isDeleted = sql`user_id = ${userId} and (id = ${sessionId ?? null} or ${sessionId === undefined})`
  await sql`
    select from teams where id in (select team_id from sessions where ${isDeleted})
    order by id for no key update`.execute(trx)
  // In the order of their ids: laps of several sessions are stored with the same locks. It waits for fixes that are being
  // stored, and later ones see the deletion.
  await sql`select from sessions where ${isDeleted} order by id for update`.execute(trx)
}

/**
 * Deletes the circuits that were learned from these sessions and driven in no other one: their outlines show where the
 * driver was. The laps are only numbers, and stay.
 */
async function deleteLearnedCircuits(trx: Kysely<Tables>, sessions: RawBuilder<unknown>) {
  const { rows } = await sql<{ team_id: string; id: string }>`
    select team_id, id from circuits c
    where learned_in = ${sessions} and not exists (
      select from sessions s
      where s.team_id = c.team_id and s.circuit_id = c.id and not s.id = ${sessions}
    )`.execute(trx)
  for (const { team_id, id } of rows) {
    await trx
      .updateTable('sessions')
      .set({ circuit_id: null, circuit_version: null })
      .where('team_id', '=', team_id)
      .where('circuit_id', '=', id)
      .execute()
    await trx.deleteFrom('circuits').where('team_id', '=', team_id).where('id', '=', id).execute()
  }
}

/**
 * Deletes the oldest positions of a session, one short statement at a time. Returns how many: 0 when it is
 * done.
 */
export async function deleteNextPositions(
  db: Kysely<Tables>,
  { sessionId, upTo }: PositionDeletion,
): Promise<number> {
  // The bounds let PostgreSQL skip the partitions of all other days.
  const { numAffectedRows } = await sql`
    with bounds as materialized (
      select min(at) as oldest, max(at) as newest
      from (
        select at from positions
        where session_id = ${sessionId} and at <= ${upTo}
        order by at
        limit ${portion}
      ) p
    )
    delete from positions
    where session_id = ${sessionId}
      and at >= (select oldest from bounds) and at <= (select newest from bounds)`.execute(db)
  const deleted = Number(numAffectedRows ?? 0)
  if (deleted === 0)
    await db
      .deleteFrom('position_deletions')
      .where('session_id', '=', sessionId)
      .where('up_to', '<=', upTo)
      .execute()
  return deleted
}

/** Finishes deletions that a stopped process left pending. Idempotent. */
export async function finishDeletions(db: Kysely<Tables>) {
  const pending = inPages(
    firstId,
    after =>
      db
        .selectFrom('position_deletions')
        .selectAll()
        .where('session_id', '>', after)
        .orderBy('session_id')
        .limit(rowsPerPage)
        .execute(),
    ({ session_id }) => session_id,
  )
  await tryEach(pending, rows =>
    tryEach(rows, async ({ session_id, up_to }) => {
      while ((await deleteNextPositions(db, { sessionId: session_id, upTo: up_to })) > 0);
    }),
  )
}
