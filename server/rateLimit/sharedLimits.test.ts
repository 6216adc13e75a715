import { expect, test } from 'vitest'
import { dayMs } from '#contract/shared/durations.ts'
import { testDatabase } from '#testing/database/database.ts'
import type { Database } from '../db/database.ts'
import type { Limit } from './rateLimits.ts'
import { deleteOldCounts, enforceSharedLimit, isWithinSharedLimit } from './sharedLimits.ts'

const now = Date.UTC(2026, 10, 22, 12)
const perDay: Limit = { what: 'codes', key: 'ana@example.com', limit: 3, windowMs: dayMs }

/** Counts at a fixed time, and returns whether the limit allows it. */
function isAllowed({ db }: Database, limit: Limit, at = now) {
  const clock = { now: () => at } as never
  return isWithinSharedLimit({ db, clock }, limit)
}

test('attempts within the limit are allowed, later ones not before the window ends', async () => {
  await using database = await testDatabase()
  const allowed = []
  for (let n = 0; n < 4; n++) allowed.push(await isAllowed(database.open, perDay))
  expect(allowed).toEqual([true, true, true, false])
  const { db } = database.open
  const refused = enforceSharedLimit({ db, clock: { now: () => now } as never }, perDay)
  await expect(refused).rejects.toMatchObject({ code: 'too-many', retryAfterSeconds: 43_200 })
})

test('concurrent attempts are counted individually', async () => {
  await using database = await testDatabase()
  const tries = Array.from({ length: 20 }, () => isAllowed(database.open, perDay))
  expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(perDay.limit)
})

test('different things, and different windows of one thing, have separate counts', async () => {
  await using database = await testDatabase()
  const once = { ...perDay, limit: 1 }
  await isAllowed(database.open, once)
  expect(await isAllowed(database.open, once)).toBe(false)
  expect(await isAllowed(database.open, { ...once, key: 'leo@example.com' })).toBe(true)
  expect(await isAllowed(database.open, { ...once, what: 'tries' })).toBe(true)
  expect(await isAllowed(database.open, { ...once, windowMs: dayMs / 2 })).toBe(true)
})

test('an expired window no longer counts, and is deleted after a day', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const once = { ...perDay, limit: 1 }
  await isAllowed(database.open, once)
  const later = now + 2 * dayMs
  expect(await isAllowed(database.open, once, later)).toBe(true)

  await deleteOldCounts(db, later)
  expect(await db.selectFrom('rate_counts').select('count').execute()).toEqual([{ count: 1 }])
})

test('no e-mail address is readable in the database', async () => {
  await using database = await testDatabase()
  await isAllowed(database.open, perDay)
  const rows = await database.open.db.selectFrom('rate_counts').select('what').execute()
  expect(rows).toEqual([{ what: expect.stringMatching(/^codes:[\w-]{43} per 86400000 ms$/) }])
})

test('a window longer than a day is an error', async () => {
  await using database = await testDatabase()
  const tooLong = { ...perDay, windowMs: dayMs + 1 }
  await expect(isAllowed(database.open, tooLong)).rejects.toThrow(RangeError)
})
