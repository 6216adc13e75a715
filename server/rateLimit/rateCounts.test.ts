import { expect, test } from 'vitest'
import { testDatabase } from '#testing/database/database.ts'
import { countAgainstLimit, deleteOldCounts } from './rateCounts.ts'

const dayMs = 86_400_000
const now = Date.now()

test('attempts within the limit are allowed, later ones not before the window ends', async () => {
  await using database = await testDatabase()
  const rate = { what: 'send-code 203.0.113.7', limit: 3, windowMs: dayMs }
  const answers = []
  for (let n = 0; n < 4; n++)
    answers.push(await countAgainstLimit(database.open.db, rate, Date.now()))
  expect(answers.map(answer => answer.allowed)).toEqual([true, true, true, false])
  expect(answers[0]!.retryAfterSeconds).toBe(0)
  expect(answers[3]!.retryAfterSeconds).toBeGreaterThan(0)
  expect(answers[3]!.retryAfterSeconds).toBeLessThanOrEqual(dayMs / 1000)
})

test('concurrent attempts are counted individually', async () => {
  await using database = await testDatabase()
  const rate = { what: 'send-code', limit: 5, windowMs: dayMs }
  const tries = Array.from({ length: 20 }, () =>
    countAgainstLimit(database.open.db, rate, Date.now()),
  )
  const answers = await Promise.all(tries)
  expect(answers.filter(answer => answer.allowed)).toHaveLength(5)
})

test('different things, and different windows of one thing, have separate counts', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const rate = { what: 'send-code a', limit: 1, windowMs: dayMs }
  await countAgainstLimit(db, rate, now)
  expect((await countAgainstLimit(db, rate, now)).allowed).toBe(false)
  expect((await countAgainstLimit(db, { ...rate, what: 'send-code b' }, now)).allowed).toBe(true)
  expect((await countAgainstLimit(db, { ...rate, windowMs: dayMs / 2 }, now)).allowed).toBe(true)
})

test('an expired window no longer counts, and is deleted after a day', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const rate = { what: 'send-code', limit: 1, windowMs: dayMs }
  await countAgainstLimit(db, rate, now)
  const later = now + 2 * dayMs
  expect((await countAgainstLimit(db, rate, later)).allowed).toBe(true)

  await deleteOldCounts(db, later)
  expect(await db.selectFrom('rate_counts').select('count').execute()).toEqual([{ count: 1 }])
})

test('a window longer than a day is an error', async () => {
  await using database = await testDatabase()
  const rate = { what: 'send-code', limit: 1, windowMs: dayMs + 1 }
  await expect(countAgainstLimit(database.open.db, rate, Date.now())).rejects.toThrow(RangeError)
})
