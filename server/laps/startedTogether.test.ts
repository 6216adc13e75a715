import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import { testDatabase } from '#testing/database/database.ts'
import { drivenFixes, pastSession } from '#testing/live/drivenLaps.ts'
import { steppedClock } from '#testing/live/heldClock.ts'
import type { Tables } from '../db/schema/tables.ts'
import { createLog } from '../log.ts'
import { storeBufferedFixes } from '../telemetry/bufferedFixes.ts'
import { recomputeLaps } from './computeLaps.ts'
import { LapKeeper } from './lapKeeper.ts'
import { storedLaps } from './storedLaps.ts'

/** Starts a node that times sessions. `onStored` is called whenever the laps of a session are stored. */
function startNode(db: Kysely<Tables>, onStored: () => void = () => undefined) {
  const clock = steppedClock()
  const live = { publish: onStored }
  const keeper = new LapKeeper({ db, clock, live, log: createLog('silent') })
  return {
    clock,
    async time(ids: readonly SessionId[] = []) {
      for (const id of ids) keeper.update(id)
      clock.pass(2000)
      await keeper.idle()
    },
  }
}

test('sessions of several teams continue on their own circuits after a restart', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const sessions = [await pastSession(db), await pastSession(db)]
  const drives = sessions.map(({ sessionId, startMs }, n) => {
    const fixes = drivenFixes(startMs, { laps: 4, elsewhere: n === 1 })
    return { sessionId, fixes }
  })
  const store = async (from: number, to?: number) => {
    for (const { sessionId, fixes } of drives) {
      const part = fixes.slice(from, to)
      await storeBufferedFixes(db, { sessionId, fixes: part, historyDays: 400, now: Date.now() })
    }
  }
  const lapCounts = async () => {
    const laps = await Promise.all(drives.map(({ sessionId }) => storedLaps(db, sessionId)))
    return laps.map(({ length }) => length)
  }
  await store(0, 220)
  for (const { sessionId } of drives) await recomputeLaps(db, sessionId)
  const before = await lapCounts()
  await store(220)
  await startNode(db).time(drives.map(({ sessionId }) => sessionId))
  expect(await lapCounts()).toEqual(before.map(count => count + 1))
  for (const { sessionId } of drives)
    expect(await recomputeLaps(db, sessionId)).toEqual({ laps: [], visits: [] })
})

test('sessions that cannot be timed within 5 s wait for the next round', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const ids: SessionId[] = []
  for (let n = 0; n < 60; n++) ids.push((await pastSession(db)).sessionId)
  await db.updateTable('sessions').set({ status: 'Complete', date_ended: new Date() }).execute()
  let stored = 0
  const node = startNode(db, () => {
    stored += 1
    node.clock.pass(100)
  })
  await node.time(ids)
  expect(stored).toBe(50)
  await node.time()
  expect(stored).toBe(60)
})
