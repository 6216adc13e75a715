import { type Kysely, sql } from 'kysely'
import { expect } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import type { Tables } from '#server/db/schema/tables.ts'

/** Returns two ids for sessions. The higher one comes first: insert them like this, so that only locks set an order. */
export function idsAround(id: string): [higher: SessionId, lower: SessionId] {
  const [higher, lower] = ['ffffffff', '00000000'].map(start => start + id.slice(8))
  return [higher, lower] as [SessionId, SessionId]
}

/**
 * Starts work that changes both sessions, while another transaction has locked the one with the lower id. Fails if the
 * work locks the other one first: two transactions that lock several sessions in different orders can deadlock. Returns
 * the result of the work. On PostgreSQL only: the embedded database runs one transaction at a time.
 */
export async function expectLockedInOrder<Result>(
  db: Kysely<Tables>,
  [higher, lower]: readonly [SessionId, SessionId],
  work: () => Promise<Result>,
): Promise<Result> {
  const started = await db.transaction().execute(async trx => {
    await sql`select from sessions where id = ${lower} for update`.execute(trx)
    const running = work()
    await expect.poll(() => waitingFor(db)).toBe(1)
    await sql`select from sessions where id = ${higher} for update nowait`.execute(trx)
    return { running }
  })
  return started.running
}

/** Returns the number of transactions that wait for a lock. */
export async function waitingFor(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql`
    select from pg_locks where not granted and pid in (
      select pid from pg_stat_activity where datname = current_database()
    )`.execute(db)
  return rows.length
}
