import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#testing/database/database.ts'
import { pastSession } from '#testing/live/drivenLaps.ts'
import { storeRecording } from './storeRecording.ts'

test('a recording is stored once, and later commits wait for the disk again', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const { sessionId } = await pastSession(db)
  const startMs = Date.now() - 24 * 60 * 60 * 1000
  const count = 4700
  const column = (value: (index: number) => number) =>
    Float64Array.from({ length: count }, (_, index) => value(index))
  const fixes = {
    at: column(index => startMs + index * 1000),
    latitude: column(index => 50 + index * 1e-5),
    longitude: column(() => 5),
    speedKmh: column(() => 150),
    accuracyM: column(() => Number.NaN),
    headingDeg: column(() => 0),
  }
  // Off for all transactions of a PostgreSQL server for tests.
  const commitsBefore = await sql`show synchronous_commit`.execute(db)
  expect(await storeRecording(db, sessionId, fixes)).toBe(count)
  expect(await storeRecording(db, sessionId, fixes)).toBe(0)
  const stored = await db.selectFrom('positions').select(['at', 'accuracy_m']).execute()
  expect(stored).toHaveLength(count)
  const commitsAfter = await sql`show synchronous_commit`.execute(db)
  expect(commitsAfter.rows).toEqual(commitsBefore.rows)
  await db.updateTable('sessions').set({ positions_deleted_at: new Date() }).execute()
  expect(await storeRecording(db, sessionId, fixes)).toBeNull()
})
