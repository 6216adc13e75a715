import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import type { Fix } from '#contract/sessions/positions.ts'
import { testDatabase } from '#testing/database/database.ts'
import { expectLockedInOrder, idsAround, waitingFor } from '#testing/database/sessionLocks.ts'
import { drivenFixes, pastSession } from '#testing/live/drivenLaps.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { lockedInOrder } from '../../db/statements/lockedInOrder.ts'
import { createLog } from '../../log.ts'
import { storeBufferedFixes } from '../../telemetry/bufferedFixes.ts'
import { Recorder } from '../../telemetry/recorder.ts'
import { storeFixes } from '../../telemetry/storeFixes.ts'
import { recomputeLaps, timedSessions, timeNewPositions } from '../computeLaps.ts'
import { LapKeeper } from '../lapKeeper.ts'
import { startTiming } from '../sessionTiming.ts'
import { storedLaps } from '../storedLaps.ts'
import { storeLapsOf } from '../storeLaps.ts'
import { hasNewResult, newlyTimed, requireCount, storeUpToDate } from './timed.ts'

/** Times the laps of a session that has its circuit, without storing them. */
async function timed(db: Kysely<Tables>, sessionId: SessionId) {
  return (await keptTiming(db, sessionId)).timing
}

/** The same, as the keeper remembers it. */
async function keptTiming(db: Kysely<Tables>, sessionId: SessionId) {
  const [session] = await timedSessions(db, [sessionId])
  const timing = await startTiming(db, session!)
  await timeNewPositions(db, [timing])
  return newlyTimed(session!, timing, 0)
}

/** Stores three laps of a session but one fix, which is late, and computes their result. */
async function lateDrive(db: Kysely<Tables>) {
  const session = await pastSession(db)
  const { sessionId, startMs } = session
  const fixes = drivenFixes(startMs, { laps: 3 })
  const [missing] = fixes.slice(50)
  const others = fixes.filter(each => each !== missing)
  await storeBufferedFixes(db, { sessionId, fixes: others, historyDays: 400, now: Date.now() })
  await recomputeLaps(db, sessionId)
  const { at, latitude: la, longitude: lo, speedKmh: v, accuracyM: ac } = missing!
  const late = { session: sessionId, fix: { at, la, lo, v, ac }, contactAt: at }
  return { ...session, fixes, late }
}

test('up-to-date sessions are stored, outdated ones together with them are not', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const sessions = await Promise.all([0, 1, 2].map(() => pastSession(db)))
  const laps = [3, 4, 5]
  for (const [n, { sessionId, startMs }] of sessions.entries()) {
    const fixes = drivenFixes(startMs, { laps: laps[n]! })
    await storeBufferedFixes(db, { sessionId, fixes, historyDays: 400, now: Date.now() })
    await recomputeLaps(db, sessionId)
  }
  const [first, outdated, last] = sessions.map(({ sessionId }) => sessionId)
  const before = await storedLaps(db, last!)
  const timings = await Promise.all(sessions.map(({ sessionId }) => timed(db, sessionId)))
  await db.deleteFrom('laps').execute()
  await db.updateTable('sessions').set({ lap_timing: false }).where('id', '=', outdated!).execute()
  const stored = await storeLapsOf(db, timings)
  expect(new Set(stored.keys())).toEqual(new Set([first, last]))
  expect(stored.get(last!)?.changes.laps.map(({ number }) => number)).toEqual(
    before.map(({ number }) => number),
  )
  expect(await storedLaps(db, first!)).toHaveLength(2)
  expect(await storedLaps(db, outdated!)).toEqual([])
  expect(await storedLaps(db, last!)).toEqual(before)
})

test('later positions do not make laps outdated, but stored laps up to one of them do', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId, startMs } = await pastSession(db)
  const fixes = drivenFixes(startMs, { laps: 4 })
  const store = (from: number, to?: number) =>
    storeBufferedFixes(db, {
      sessionId,
      fixes: fixes.slice(from, to),
      historyDays: 400,
      now: Date.now(),
    })
  await store(0, 220)
  await recomputeLaps(db, sessionId)
  const first = await timed(db, sessionId)
  await db.deleteFrom('laps').execute()
  await store(220, 240)
  expect((await storeLapsOf(db, [first])).get(sessionId)?.changes.laps).toHaveLength(2)

  const second = await timed(db, sessionId)
  expect((await storeLapsOf(db, [second])).size).toBe(1)
  expect((await storeLapsOf(db, [first])).size).toBe(0)

  const end = { status: 'Complete', date_ended: new Date() } as const
  await db.updateTable('sessions').set(end).where('id', '=', sessionId).execute()
  await store(240)
  second.finish()
  expect((await storeLapsOf(db, [second])).size).toBe(0)
  const last = await timed(db, sessionId)
  last.finish()
  expect((await storeLapsOf(db, [last])).size).toBe(1)
})

test('all positions are counted again once they doubled or another result is stored', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId, startMs } = await pastSession(db)
  const all = drivenFixes(startMs, { laps: 8 })
  const late = [20, 40].map(n => all[n]!)
  const fixes = all.filter(each => !late.includes(each))
  const store = (some: readonly Fix[]) =>
    storeBufferedFixes(db, { sessionId, fixes: some, historyDays: 400, now: Date.now() })
  await store(fixes.slice(0, 200))
  await recomputeLaps(db, sessionId)
  const timing = await timed(db, sessionId)
  const storeUpTo = async (from: number, to: number) => {
    await store(fixes.slice(from, to))
    await timeNewPositions(db, [timing])
    return (await storeLapsOf(db, [timing])).size === 1
  }
  expect(await storeUpTo(200, 201)).toBe(true)
  // Another node stores a position and crashes.
  await store([late[0]!])
  expect(await storeUpTo(201, 401)).toBe(true)
  expect(await storeUpTo(401, 402)).toBe(false)

  const again = await timed(db, sessionId)
  expect((await storeLapsOf(db, [again])).size).toBe(1)
  await store([late[1]!])
  expect((await storeLapsOf(db, [again])).size).toBe(1)
  expect((await storeLapsOf(db, [await timed(db, sessionId)])).size).toBe(1)
  expect((await storeLapsOf(db, [again])).size).toBe(0)
})

test('positions of another node since the last result are noticed after a pause', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId, startMs } = await pastSession(db)
  const fixes = drivenFixes(startMs, { laps: 5 })
  const store = (some: readonly Fix[]) =>
    storeBufferedFixes(db, { sessionId, fixes: some, historyDays: 400, now: Date.now() })
  await store(fixes.slice(0, 200))
  await recomputeLaps(db, sessionId)
  const timing = await timed(db, sessionId)
  expect((await storeLapsOf(db, [timing])).size).toBe(1)
  /** Times some positions, as if another node then stored those in between. */
  const timeAround = async (from: number, missed: readonly number[], to: number) => {
    const known = fixes.slice(from, to).filter(each => !missed.includes(fixes.indexOf(each)))
    await store(known)
    await timeNewPositions(db, [timing])
    await store(missed.map(n => fixes[n]!))
    return (await storeLapsOf(db, [timing])).size === 1
  }
  expect(await timeAround(200, [], 240)).toBe(true)
  // Two nodes in turn, as for a device that reports by HTTP.
  expect(await timeAround(240, [250, 252, 254], 280)).toBe(false)
  // The count stays due.
  expect(await timeAround(280, [], 300)).toBe(false)
  expect((await storeLapsOf(db, [await timed(db, sessionId)])).size).toBe(1)
})

test('a count required while laps are being stored runs with the next result', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId, startMs } = await pastSession(db)
  const fixes = drivenFixes(startMs, { laps: 4 })
  const store = (some: readonly Fix[]) =>
    storeBufferedFixes(db, { sessionId, fixes: some, historyDays: 400, now: Date.now() })
  await store(fixes.slice(0, 220).filter((_, n) => n !== 20))
  await recomputeLaps(db, sessionId)
  const each = await keptTiming(db, sessionId)
  const storing = storeUpToDate(db, [each], () => undefined)
  requireCount(each)
  expect(await storing).toEqual([])
  expect(hasNewResult(each)).toBe(true)
  await store([fixes[20]!])
  expect(await storeUpToDate(db, [each], () => undefined)).toEqual([each])
})

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

/** Two sessions with two laps, of which one fails from now on when its laps are stored. */
async function soundAndBroken(db: Kysely<Tables>) {
  const clock = heldClock()
  const published: string[] = []
  const keeper = new LapKeeper({
    db,
    log: createLog('silent'),
    clock,
    live: { publish: (room, { t }) => void published.push(`${t} in ${room}`) },
  })
  const [sound, broken] = [await pastSession(db), await pastSession(db)]
  const pass = async () => {
    clock.pass(2000)
    await keeper.idle()
  }
  /** Stores fixes of both sessions, and returns those of the broken one. */
  const store = async (from: number, to?: number) => {
    let stored: Fix[] = []
    for (const { sessionId, startMs } of [sound, broken]) {
      stored = drivenFixes(startMs, { laps: 4 }).slice(from, to)
      await storeBufferedFixes(db, { sessionId, fixes: stored, historyDays: 400, now: Date.now() })
      keeper.update(sessionId, stored[0]?.at)
    }
    return stored
  }
  const drive = async (from: number, to?: number) => {
    await store(from, to)
    await pass()
  }
  await drive(0, 220)
  expect(await storedLaps(db, sound.sessionId)).toHaveLength(2)
  published.length = 0
  await sql`create function refuse_broken() returns trigger language plpgsql as
    'begin raise exception ''refused''; end'`.execute(db)
  await sql`create trigger refuse_broken before update on lap_timings for each row
    when (new.session_id = ${sql.lit(broken.sessionId)}) execute function refuse_broken()`.execute(
    db,
  )
  return {
    sound: sound.sessionId,
    broken: broken.sessionId,
    published,
    keeper,
    pass,
    store,
    finish: () => drive(220),
  }
}

test('laps that cannot be stored do not block those of other sessions', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sound, broken, published, keeper, pass, finish } = await soundAndBroken(db)
  await finish()
  expect(await storedLaps(db, sound)).toHaveLength(2)
  await pass()
  expect(await storedLaps(db, sound)).toHaveLength(3)
  expect(published).toEqual([`laps-changed in session:${sound}`])
  await sql`drop function refuse_broken cascade`.execute(db)
  await pass()
  await pass()
  expect(await storedLaps(db, broken)).toHaveLength(3)
  await keeper.close()
})

test('stored laps are reported even if those of another session fail afterwards', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sound, broken, keeper, store } = await soundAndBroken(db)
  const fixes = await store(220)
  const all = await Promise.all([sound, broken].map(id => keptTiming(db, id)))
  // Another node stores laps up to a later position: the broken session is stored after the sound one.
  const newest = fixes.at(-1)!
  const late = { ...newest, at: newest.at + 300 }
  await storeBufferedFixes(db, {
    sessionId: broken,
    fixes: [late],
    historyDays: 400,
    now: Date.now(),
  })
  await db.deleteFrom('lap_timings').where('session_id', '=', broken).execute()
  await db
    .insertInto('lap_timings')
    .values({ session_id: broken, computed_up_to: new Date(late.at) })
    .execute()
  const reported: SessionId[] = []
  const storing = storeUpToDate(db, all, ({ timing }, { changes: { laps } }) => {
    expect(laps.map(({ number }) => number)).toEqual([2])
    reported.push(timing.sessionId)
  })
  await expect(storing).rejects.toThrow('refused')
  expect(reported).toEqual([sound])
  expect(await storedLaps(db, sound)).toHaveLength(3)
  expect(await storedLaps(db, broken)).toHaveLength(2)
  await keeper.close()
  await sql`drop function refuse_broken cascade`.execute(db)
})

test('the last fixes of an ended session complete its laps', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const clock = heldClock()
  const log = createLog('silent')
  const published: string[] = []
  const keeper = new LapKeeper({
    db,
    log,
    clock,
    live: { publish: (_room, event) => void published.push(event.t) },
  })
  const recorder = new Recorder(database.open, log, clock, (fixes, isAll) =>
    keeper.onStored(fixes, isAll),
  )
  const { sessionId, startMs } = await pastSession(db)
  const fixes = drivenFixes(startMs, { laps: 3 })
  const drive = async (from: number, to?: number) => {
    for (const { at, latitude, longitude, speedKmh, accuracyM } of fixes.slice(from, to)) {
      const fix = { at, la: latitude, lo: longitude, v: speedKmh, ac: accuracyM }
      recorder.record(sessionId, fix, at + 50)
    }
    await recorder.flush()
    clock.pass(2000)
    await keeper.idle()
  }
  for (let done = 0; done < fixes.length - 5; done += 20)
    await drive(done, Math.min(done + 20, fixes.length - 5))
  const finished = () =>
    db
      .selectFrom('lap_timings')
      .select('finished')
      .where('session_id', '=', sessionId)
      .executeTakeFirst()
  expect(await finished()).toEqual({ finished: false })
  published.length = 0
  await db
    .updateTable('sessions')
    .set({ status: 'Complete', date_ended: new Date(fixes.at(-1)!.at + 1000) })
    .where('id', '=', sessionId)
    .execute()
  await drive(fixes.length - 5)
  expect(await finished()).toEqual({ finished: true })
  expect(published).toContain('laps-changed')
  await recorder.close()
  await keeper.close()
})
