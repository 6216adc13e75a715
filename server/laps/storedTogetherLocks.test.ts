import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import { testDatabase } from '#testing/database/database.ts'
import { expectLockedInOrder, idsAround, waitingFor } from '#testing/database/sessionLocks.ts'
import { drivenFixes, pastSession } from '#testing/live/drivenLaps.ts'
import { lateDrive, timed } from '#testing/live/timedSession.ts'
import { lockedInOrder } from '../db/lockedInOrder.ts'
import { storeBufferedFixes } from '../telemetry/bufferedFixes.ts'
import { storeFixes } from '../telemetry/storeFixes.ts'
import { recomputeLaps } from './computeLaps.ts'
import { storedLaps } from './storedLaps.ts'
import { storeLapsOf } from './storeLaps.ts'
import { storeUpToDate } from './storeUpToDate.ts'

// The embedded database runs one transaction at a time.
test.runIf(process.env.TEST_DATABASE_URL)(
  'laps lock their sessions in the order of their ids',
  async () => {
    await using database = await testDatabase()
    const { db } = database.open
    const ids = idsAround(randomUUID())
    for (const id of ids) {
      const { startMs } = await pastSession(db, id)
      const fixes = drivenFixes(startMs, { laps: 3 })
      await storeBufferedFixes(db, { sessionId: id, fixes, historyDays: 400, now: Date.now() })
      await recomputeLaps(db, id)
    }
    const timings = await Promise.all(ids.map(id => timed(db, id)))
    const stored = await expectLockedInOrder(db, ids, () => storeLapsOf(db, timings))
    expect(stored.size).toBe(2)
  },
)

// The embedded database runs one transaction at a time.
test.runIf(process.env.TEST_DATABASE_URL)(
  'laps are compared again with a message that is sent while they are stored',
  async () => {
    await using database = await testDatabase()
    const { db } = database.open
    const { sessionId, userId, startMs } = await lateDrive(db)
    const timing = await timed(db, sessionId)
    const { storing } = await db.transaction().execute(async trx => {
      await lockedInOrder(trx).where('id', '=', sessionId).execute()
      const storing = storeLapsOf(db, [timing])
      await expect.poll(() => waitingFor(db)).toBe(1)
      const message = { session_id: sessionId, version: 1, type: 'FCY', sent_by: userId }
      const at = new Date(startMs)
      await trx
        .insertInto('messages')
        .values({ ...message, command_id: randomUUID(), pressed_at: at, sent_at: at })
        .execute()
      await trx
        .updateTable('sessions')
        .set({ message_type: 'FCY', message_version: 1 })
        .where('id', '=', sessionId)
        .execute()
      return { storing }
    })
    expect((await storing).size).toBe(1)
    const laps = await storedLaps(db, sessionId)
    expect(laps.map(({ yellowMessage }) => yellowMessage)).toEqual(['FCY', 'FCY'])
  },
)

// The embedded database runs one transaction at a time.
test.runIf(process.env.TEST_DATABASE_URL)(
  'stored laps are reported even if a second try fails for a changed session',
  async () => {
    await using database = await testDatabase()
    const { db } = database.open
    const ids = [(await lateDrive(db)).sessionId, (await lateDrive(db)).sessionId] as const
    const [sound, changed] = ids
    const all = await Promise.all(ids.map(id => timed(db, id)))
    await sql`create function refuse_changed() returns trigger language plpgsql as
      'begin
        if exists (select from sessions s where s.id = new.session_id and s.name = ''Changed'') then
          raise exception ''refused'';
        end if;
        return new;
      end'`.execute(db)
    await sql`create trigger refuse_changed before insert on lap_timings
      for each row execute function refuse_changed()`.execute(db)
    const reported: SessionId[] = []
    const { outcome } = await db.transaction().execute(async trx => {
      await trx.updateTable('sessions').set({ name: 'Changed' }).where('id', '=', changed).execute()
      const storing = storeUpToDate(db, all, ({ timing }) => reported.push(timing.sessionId))
      const outcome = storing.catch((error: unknown) => error)
      await expect.poll(() => waitingFor(db)).toBe(1)
      return { outcome }
    })
    expect(String(await outcome)).toContain('refused')
    expect(reported).toEqual([sound])
    await sql`drop function refuse_changed cascade`.execute(db)
  },
)

// The embedded database runs one transaction at a time.
test.runIf(process.env.TEST_DATABASE_URL).each([
  { when: 'the first result', isStored: false },
  { when: 'a later result', isStored: true },
])('$when of another node is not replaced by one of fewer positions', async ({ isStored }) => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId, fixes, late } = await lateDrive(db)
  const [kept, first] = [await timed(db, sessionId), await timed(db, sessionId)]
  if (isStored) await storeLapsOf(db, [kept])
  else await db.deleteFrom('lap_timings').execute()
  const { storing } = await db.transaction().execute(async trx => {
    await lockedInOrder(trx).where('id', '=', sessionId).execute()
    // It has counted the positions, and waits for the lock.
    const storing = storeLapsOf(db, [first])
    await expect.poll(() => waitingFor(db)).toBe(1)
    await storeFixes(trx, [late])
    expect((await storeLapsOf(trx, [await timed(trx, sessionId)])).size).toBe(1)
    return { storing }
  })
  expect((await storing).size).toBe(0)
  const timing = await db.selectFrom('lap_timings').select('positions').executeTakeFirst()
  expect(timing).toEqual({ positions: fixes.length })
})

// The embedded database runs one transaction at a time.
test.runIf(process.env.TEST_DATABASE_URL)(
  'laps do not wait for a fix that is being stored, and lack it until it is timed',
  async () => {
    await using database = await testDatabase()
    const { db } = database.open
    const { sessionId, fixes, late } = await lateDrive(db)
    const [first, second] = [await timed(db, sessionId), await timed(db, sessionId)]
    await db.transaction().execute(async trx => {
      await storeFixes(trx, [late])
      expect((await storeLapsOf(db, [first])).size).toBe(1)
    })
    expect((await storeLapsOf(db, [second])).size).toBe(0)
    expect((await storeLapsOf(db, [await timed(db, sessionId)])).size).toBe(1)
    const timing = await db.selectFrom('lap_timings').select('positions').executeTakeFirst()
    expect(timing).toEqual({ positions: fixes.length })
  },
)
