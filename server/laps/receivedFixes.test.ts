import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import type { Fix } from '#contract/positions.ts'
import { testDatabase } from '#testing/database/database.ts'
import { drivenFixes, pastSession } from '#testing/live/drivenLaps.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import type { Database } from '../db/database.ts'
import type { Tables } from '../db/schema/tables.ts'
import { createLog } from '../log.ts'
import { storeBufferedFixes } from '../telemetry/bufferedFixes.ts'
import { Recorder } from '../telemetry/recorder.ts'
import type { ReceivedFix } from '../telemetry/storeFixes.ts'
import { recomputeLaps } from './computeLaps.ts'
import { LapKeeper } from './lapKeeper.ts'
import { storedLaps } from './storedLaps.ts'

const beforeNextMs = 2000

/** Starts a node that records fixes as if they arrived now, and times their sessions. */
function startNode(database: Database) {
  const clock = heldClock()
  const log = createLog('silent')
  const keeper = new LapKeeper({ db: database.db, log, clock, live: { publish: () => {} } })
  const recorder = new Recorder(database, log, clock, fixes => keeper.onStored(fixes))
  const record = (session: SessionId, fix: Fix) =>
    void recorder.record(session, up(fix), clock.now())
  const time = async () => {
    expect(await recorder.flush()).toBe(true)
    clock.pass(beforeNextMs)
    await keeper.idle()
  }
  return {
    time,
    /** Records fixes in batches of 20, and times each. */
    async drive(session: SessionId, fixes: readonly Fix[]) {
      for (let done = 0; done < fixes.length; done += 20) {
        for (const fix of fixes.slice(done, done + 20)) record(session, fix)
        await time()
      }
    },
    async [Symbol.asyncDispose]() {
      await recorder.close()
      await keeper.close()
    },
  }
}

function up({ at, latitude, longitude, speedKmh, accuracyM }: Fix): ReceivedFix['fix'] {
  return { at, la: latitude, lo: longitude, v: speedKmh, ac: accuracyM }
}

async function lapCount(db: Kysely<Tables>, sessionId: SessionId) {
  return (await storedLaps(db, sessionId)).length
}

test('laps of received fixes are those of the stored positions', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  await using node = startNode(database.open)
  const { sessionId, startMs } = await pastSession(db)
  const fixes = drivenFixes(startMs, { laps: 5 })
  // The driver's phone repeats some, and some arrive late.
  const order = [...fixes.slice(0, 200), ...fixes.slice(190, 240), ...fixes.slice(260, 300)]
  await node.drive(sessionId, order)
  await node.drive(sessionId, fixes.slice(240, 260))
  await node.drive(sessionId, fixes.slice(300))
  expect(await lapCount(db, sessionId)).toBe(4)
  expect(await recomputeLaps(db, sessionId)).toEqual({ laps: [], visits: [] })
})

test('positions that another node stored are timed with the received ones', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  await using node = startNode(database.open)
  const { sessionId, startMs } = await pastSession(db)
  const fixes = drivenFixes(startMs, { laps: 5 })
  await node.drive(sessionId, fixes.slice(0, 160))
  const elsewhere = { sessionId, fixes: fixes.slice(160, 220), historyDays: 400, now: Date.now() }
  await storeBufferedFixes(db, elsewhere)
  await node.drive(sessionId, fixes.slice(220))
  expect(await lapCount(db, sessionId)).toBe(4)
  expect(await recomputeLaps(db, sessionId)).toEqual({ laps: [], visits: [] })
})

test('a lap whose start another node deleted is not stored', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  await using node = startNode(database.open)
  const { sessionId, startMs } = await pastSession(db)
  const fixes = drivenFixes(startMs, { laps: 6 })
  await node.drive(sessionId, fixes.slice(0, 360))
  const before = await storedLaps(db, sessionId)
  const upToMs = fixes[355]!.at
  const upTo = new Date(upToMs)
  await db
    .updateTable('sessions')
    .set({ positions_deleted_at: upTo })
    .where('id', '=', sessionId)
    .execute()
  await db
    .deleteFrom('positions')
    .where('session_id', '=', sessionId)
    .where('at', '<=', upTo)
    .execute()
  await node.drive(sessionId, fixes.slice(360))
  await node.time()
  const after = await storedLaps(db, sessionId)
  expect(after.filter(({ startedAt }) => startedAt <= upToMs)).toEqual(before)
  expect(after.length).toBeGreaterThan(before.length)
  expect(await recomputeLaps(db, sessionId)).toEqual({ laps: [], visits: [] })
})
