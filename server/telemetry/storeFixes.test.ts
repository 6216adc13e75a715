import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import { newDatabase, testDatabase } from '#testing/database/database.ts'
import { expectLockedInOrder, idsAround, waitingFor } from '#testing/database/sessionLocks.ts'
import { pastSession } from '#testing/live/drivenLaps.ts'
import { lockedAgainstFixes, lockedInOrder } from '../db/lockedInOrder.ts'
import type { Tables } from '../db/schema/tables.ts'
import { endedAt } from '../races/endSession.ts'
import { storeBufferedFixes } from './bufferedFixes.ts'
import { Days } from './days.ts'
import { type ReceivedFix, storeFixes } from './storeFixes.ts'

test('storing the newest fix of each session writes no index', async () => {
  await using database = await newDatabase()
  const { db } = database.open
  await new Days(db).make([Date.now()])
  const { rows: sessions } = await sql<{ id: string }>`
    with driver as (
      insert into users (email, first_name, last_name) values ('leo@example.com', 'Leo', 'Brandt')
      returning id
    ), added as (
      insert into teams (name) select 'Team ' || n from generate_series(1, 300) n returning id
    )
    insert into sessions (team_id, user_id, name)
    select added.id, driver.id, 'Stint 1' from added, driver
    returning id`.execute(db)
  const inPlace = (at: number) =>
    db.transaction().execute(async trx => {
      const before = await updatesInPlace(trx)
      await storeFixes(
        trx,
        sessions.map(({ id }) => fixOf(id, at)),
      )
      return (await updatesInPlace(trx)) - before
    })
  expect(await inPlace(Date.now())).toBe(300)
})

// The embedded database runs one transaction at a time.
describe.runIf(process.env.TEST_DATABASE_URL)('locks', () => {
  test('fixes lock their sessions in the order of their ids', async () => {
    await using database = await testDatabase()
    const { db } = database.open
    await new Days(db).make([Date.now()])
    const ids = idsAround(randomUUID())
    for (const id of ids) await pastSession(db, id)
    const received = ids.map(id => fixOf(id, Date.now()))
    // The plan for many sessions: it reads the table instead of looking up each id.
    const store = () =>
      db.transaction().execute(async trx => {
        await sql`set local enable_nestloop = off`.execute(trx)
        return storeFixes(trx, received)
      })
    expect(await expectLockedInOrder(db, ids, store)).toBe(2)
  })

  test('a fix waits for the end of its session, and is refused if it came later', async () => {
    await using database = await testDatabase()
    const { db } = database.open
    await new Days(db).make([Date.now()])
    const { sessionId } = await pastSession(db)
    const endMs = Date.now()
    const ending = db.transaction().execute(async trx => {
      await trx
        .updateTable('sessions')
        .set(endedAt(endMs))
        .where('id', 'in', lockedAgainstFixes(trx).where('id', '=', sessionId))
        .execute()
      const storing = storeFixes(db, [fixOf(sessionId, endMs), fixOf(sessionId, endMs + 1)])
      await expect.poll(() => waitingFor(db)).toBe(1)
      return { storing }
    })
    expect(await (await ending).storing).toBe(1)
    const stored = await db.selectFrom('positions').select('at').execute()
    expect(stored).toEqual([{ at: new Date(endMs) }])
    const newest = await db.selectFrom('newest_fixes').select('last_driver_contact').execute()
    expect(newest).toEqual([{ last_driver_contact: null }])
  })

  test('an uploaded fix waits for those of its session that are being stored', async () => {
    await using database = await testDatabase()
    const { db } = database.open
    await new Days(db).make([Date.now()])
    const { sessionId } = await pastSession(db)
    const now = Date.now()
    const uploaded = {
      at: now - 1,
      latitude: 50.4372,
      longitude: 5.9714,
      speedKmh: 187,
      accuracyM: 4,
    }
    const storing = db.transaction().execute(async trx => {
      await storeFixes(trx, [fixOf(sessionId, now)])
      const uploading = storeBufferedFixes(db, {
        sessionId,
        fixes: [uploaded],
        historyDays: 400,
        now,
      })
      await expect.poll(() => waitingFor(db)).toBe(1)
      return { uploading }
    })
    expect(await (await storing).uploading).toEqual({ stored: 1, refused: [] })
  })

  test('a new fix waits for an upload of its session before it is inserted', async () => {
    await using database = await testDatabase()
    const { db } = database.open
    await new Days(db).make([Date.now()])
    const { sessionId } = await pastSession(db)
    const fix = fixOf(sessionId, Date.now())
    const uploading = db.transaction().execute(async trx => {
      await sql`select from newest_fixes where session_id = ${sessionId} for no key update`.execute(
        trx,
      )
      const storing = storeFixes(db, [fix])
      await expect.poll(() => waitingFor(db)).toBe(1)
      // Would deadlock if the fix were already inserted.
      await sql`insert into positions (session_id, at) values (${sessionId}, ${new Date(fix.fix.at)})`.execute(
        trx,
      )
      return { storing }
    })
    expect(await (await uploading).storing).toBe(0)
  })

  test('a fix does not wait for the laps of its session', async () => {
    await using database = await testDatabase()
    const { db } = database.open
    await new Days(db).make([Date.now()])
    const { sessionId } = await pastSession(db)
    await db.transaction().execute(async trx => {
      await lockedInOrder(trx).where('id', '=', sessionId).execute()
      expect(await storeFixes(db, [fixOf(sessionId, Date.now())])).toBe(1)
    })
  })
})

function fixOf(session: SessionId, at: EpochMs): ReceivedFix {
  return { session, fix: { at, la: 50.4372, lo: 5.9714, v: 187, ac: 4 }, contactAt: at }
}

/** Exact within a transaction; the statistics of the table are written later. */
async function updatesInPlace(trx: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select pg_stat_get_xact_tuples_hot_updated('newest_fixes'::regclass)::int as count`.execute(trx)
  return rows[0]?.count ?? Number.NaN
}
