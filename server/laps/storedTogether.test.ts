import { expect, test } from 'vitest'
import type { Fix } from '#contract/positions.ts'
import { testDatabase } from '#testing/database/database.ts'
import { drivenFixes, pastSession } from '#testing/live/drivenLaps.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { timed } from '#testing/live/timedSession.ts'
import { createLog } from '../log.ts'
import { storeBufferedFixes } from '../telemetry/bufferedFixes.ts'
import { Recorder } from '../telemetry/recorder.ts'
import { recomputeLaps, timeNewPositions } from './computeLaps.ts'
import { LapKeeper } from './lapKeeper.ts'
import { storedLaps } from './storedLaps.ts'
import { storeLapsOf } from './storeLaps.ts'
import { storeUpToDate } from './storeUpToDate.ts'

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
  const timing = await timed(db, sessionId)
  const storing = storeUpToDate(db, [timing], () => undefined)
  timing.requireCount(0)
  expect(await storing).toEqual([])
  expect(timing.mustBeStored).toBe(true)
  await store([fixes[20]!])
  expect(await storeUpToDate(db, [timing], () => undefined)).toEqual([timing])
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
  const recorder = new Recorder(database.open, log, clock, fixes => keeper.onStored(fixes))
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
