import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { hourMs } from '#contract/shared/durations.ts'
import { testDatabase } from '#testing/database/database.ts'
import { expectLockedInOrder, idsAround } from '#testing/database/sessionLocks.ts'
import type { Tables } from '../db/schema/tables.ts'
import { Days } from './days.ts'
import { beginDeletion, deleteNextPositions, finishDeletions } from './deletePositions.ts'
import { storeFixes } from './storeFixes.ts'

const rows = 9000

test('positions are deleted in batches, with other queries in between', async () => {
  await using made = await testDatabase()
  const { db } = made.open
  const { userId, sessionId, now } = await driven(db)
  const { deletions, deleted, active } = await beginDeletion(db, { userId, now })
  // The fix from a phone whose clock is ahead is deleted at once.
  expect([deleted, active]).toEqual([1, [sessionId]])

  const counts: number[] = []
  for (let count = -1; count !== 0; counts.push(count))
    count = await deleteNextPositions(db, deletions[0]!)
  expect(Math.max(...counts)).toBeLessThanOrEqual(2000)
  expect(counts.reduce((sum, count) => sum + count)).toBe(rows)
  expect(await left(db)).toEqual({ positions: 0, deletions: 0 })
})

test('an interrupted deletion is finished later and spares new fixes (F9)', async () => {
  await using made = await testDatabase()
  const { db } = made.open
  const { userId, sessionId, now } = await driven(db)
  const { deletions } = await beginDeletion(db, { userId, sessionId, now })
  expect(await deleteNextPositions(db, deletions[0]!)).toBe(2000)
  // One fix received before the deletion and one after: only the later one is stored, during the deletion.
  await storeFixes(db, [fixOf(sessionId, now - 1), fixOf(sessionId, now + 1)])

  await finishDeletions(db)
  expect(await left(db)).toEqual({ positions: 1, deletions: 0 })
  await finishDeletions(db)
  expect(await left(db)).toEqual({ positions: 1, deletions: 0 })
})

// The embedded database runs one transaction at a time.
test.runIf(process.env.TEST_DATABASE_URL)(
  'sessions are locked in the order of their ids',
  async () => {
    await using made = await testDatabase()
    const { db } = made.open
    const { userId, sessionId, now } = await driven(db)
    const ids = idsAround(sessionId)
    for (const id of ids)
      await sql`insert into sessions (id, team_id, user_id, name, status)
      select ${id}, team_id, user_id, name, 'Complete' from sessions where id = ${sessionId}`.execute(
        db,
      )
    const work = () => beginDeletion(db, { userId, now })
    const { deletions } = await expectLockedInOrder(db, ids, work)
    expect(deletions).toHaveLength(3)
  },
)

/** Creates a session with hours of positions over two days, and one position five seconds ahead. */
async function driven(db: Kysely<Tables>) {
  const [userId, team, sessionId] = [randomUUID(), randomUUID(), randomUUID()]
  const now = Date.now()
  await sql`insert into users (id, email) values (${userId}, 'leo@example.com')`.execute(db)
  await sql`insert into teams (id, name) values (${team}, 'Owls')`.execute(db)
  await sql`insert into sessions (id, team_id, user_id, name)
    values (${sessionId}, ${team}, ${userId}, 'Stint 1')`.execute(db)
  await new Days(db).make([-48, -24, 0, 1].map(hours => now + hours * hourMs))
  await sql`insert into positions (session_id, at, latitude, longitude)
    select ${sessionId}::uuid, ${new Date(now)}::timestamptz - n * interval '10 seconds', 50.4, 5.9
    from generate_series(0, ${rows - 1}::integer) n
    union all select ${sessionId}::uuid, ${new Date(now + 5000)}::timestamptz, 50.4, 5.9`.execute(
    db,
  )
  return { userId, sessionId, now }
}

const fixOf = (session: string, at: number) => ({
  session,
  fix: { at, la: 50.4, lo: 5.9, v: 100, ac: 4 },
  contactAt: at,
})

async function left(db: Kysely<Tables>) {
  const counted = await sql<{ positions: number; deletions: number }>`
    select (select count(*) from positions) as positions,
      (select count(*) from position_deletions) as deletions`.execute(db)
  return counted.rows[0]
}
