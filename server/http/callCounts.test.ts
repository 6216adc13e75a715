import { expect, test } from 'vitest'
import { testDatabase } from '#testing/database.ts'
import type { Database } from '../db/database.ts'
import { countAllTogether } from '../limits.ts'
import { createLog } from '../log.ts'
import { CallCounts, type CountTogether, untoldUpTo } from './callCounts.ts'

/** Long, so that no window ends in the middle of a test. */
const windowMs = 86_400_000

function nodeOn({ db }: Pick<Database, 'db'>) {
  return countingWith((counts, window) => countAllTogether(db, { what: 'calls', counts, window }))
}

function countingWith(countTogether: CountTogether) {
  const counts = new CallCounts(countTogether, createLog('silent'))
  /** One call more; answers how many there were. */
  function call(from: string): number {
    let all = 0
    counts.incr(from, (_error, { current }) => (all = current), windowMs)
    return all
  }
  return {
    call,
    callOften(from: string, times: number) {
      for (let n = 0; n < times; n++) call(from)
    },
  }
}

test('what calls much is counted by all nodes together, within a second or so', async () => {
  await using database = await testDatabase()
  const [first, second] = [nodeOn(database.open), nodeOn(database.open)]
  first.callOften('203.0.113.7', 1000)
  second.callOften('203.0.113.7', 500)
  await expect.poll(() => second.call('203.0.113.7'), { timeout: 10_000 }).toBeGreaterThan(1500)
  await expect.poll(() => first.call('203.0.113.7'), { timeout: 10_000 }).toBeGreaterThan(1500)
  expect(second.call('203.0.113.8')).toBe(1)
})

test('who calls little is not written down, and nobody by their address', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const node = nodeOn(database.open)
  node.callOften('203.0.113.8', untoldUpTo)
  node.callOften('203.0.113.7', untoldUpTo + 1)
  const kept = () => db.selectFrom('rate_counts').select(['what', 'count']).execute()
  await expect
    .poll(kept, { timeout: 10_000 })
    .toEqual([
      { what: expect.stringMatching(/^calls:[\w-]{43} per \d+ ms$/), count: untoldUpTo + 1 },
    ])
})

test('while the database is away a node counts on by itself, and tells it later', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  let tries = 0
  const node = countingWith(async (counts, window) => {
    tries += 1
    if (tries === 1) throw new Error('Connection terminated')
    return countAllTogether(db, { what: 'calls', counts, window })
  })
  node.callOften('203.0.113.7', 400)
  await expect.poll(() => tries, { timeout: 10_000 }).toBe(1)
  expect(node.call('203.0.113.7')).toBe(401)
  const kept = () => db.selectFrom('rate_counts').select('count').execute()
  await expect.poll(kept, { timeout: 10_000 }).toEqual([{ count: 401 }])
})
