import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import { testDatabase } from '#testing/database/database.ts'
import { drivenFixes, pastSession } from '#testing/live/drivenLaps.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { createLog } from '../../log.ts'
import { storeBufferedFixes } from '../../telemetry/bufferedFixes.ts'
import { Recorder } from '../../telemetry/recorder.ts'
import { recomputeLaps, timedSessions, timeNewPositions } from '../computeLaps.ts'
import { LapKeeper } from '../lapKeeper.ts'
import { startTiming } from '../sessionTiming.ts'
import { storedLaps } from '../storedLaps.ts'
import { storeLapsOf } from '../storeLaps.ts'

/** Times the laps of a session that has its circuit, without storing them. */
async function timed(db: Kysely<Tables>, sessionId: SessionId) {
  const [session] = await timedSessions(db, [sessionId])
  const timing = await startTiming(db, session!)
  await timeNewPositions(db, [timing])
  return timing
}

test('up-to-date sessions are stored, outdated ones in the same transaction are not', async () => {
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
  expect(stored.get(last!)?.laps.map(({ number }) => number)).toEqual(
    before.map(({ number }) => number),
  )
  expect(await storedLaps(db, first!)).toHaveLength(2)
  expect(await storedLaps(db, outdated!)).toEqual([])
  expect(await storedLaps(db, last!)).toEqual(before)
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
