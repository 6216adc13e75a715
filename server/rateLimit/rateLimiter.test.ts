import { expect, test } from 'vitest'
import { testDatabase } from '#testing/database/database.ts'
import { patience } from '#testing/patience.ts'
import type { Database } from '../db/database.ts'
import { createLog } from '../log.ts'
import { type CountTogether, RateLimiter } from './rateLimiter.ts'
import { shareCounts } from './sharedLimits.ts'

const log = createLog('silent')

/** A manual clock, which runs due timers when it is advanced. */
function standingClock() {
  let now = Date.UTC(2026, 10, 22, 12)
  let due: { at: number; act: () => void }[] = []
  return {
    now: () => now,
    monotonicMs: () => now,
    after(delayMs: number, act: () => void) {
      const timer = { at: now + delayMs, act }
      due.push(timer)
      return () => void (due = due.filter(each => each !== timer))
    },
    every: () => () => {},
    pass(ms: number) {
      now += ms
      const acts = due.filter(({ at }) => at <= now)
      due = due.filter(({ at }) => at > now)
      for (const { act } of acts) act()
    },
  }
}

function limiter(more: Partial<ConstructorParameters<typeof RateLimiter>[0]> = {}) {
  const clock = standingClock()
  const limits = new RateLimiter({ clock, log, ...more })
  return {
    clock,
    limits,
    /** Returns how many of these calls were allowed. */
    call(key: string, times: number, perMinute = 60) {
      let allowed = 0
      for (let n = 0; n < times; n++) if (limits.consume([{ key, perMinute }]) === 0) allowed += 1
      return allowed
    },
  }
}

test('a key may burst its allowance, which then refills per minute', () => {
  const { call, clock, limits } = limiter()
  expect(call('ana', 100)).toBe(60)
  expect(limits.consume([{ key: 'ana', perMinute: 60 }])).toBe(1)
  clock.pass(1000)
  expect(call('ana', 100)).toBe(1)
  expect(call('leo', 100)).toBe(60)
})

test('all of several allowances apply', () => {
  const { limits } = limiter()
  const call = (login: string) =>
    limits.consume([
      { key: login, perMinute: 2 },
      { key: 'user', perMinute: 3 },
    ])
  expect([call('phone'), call('phone'), call('tablet')]).toEqual([0, 0, 0])
  expect(call('phone')).toBeGreaterThan(0)
  expect(call('tablet')).toBeGreaterThan(0)
})

test('beyond the maximum, the least recently used key is evicted', () => {
  const { call } = limiter({ maxKeys: 2 })
  call('ana', 60)
  call('leo', 60)
  call('ana', 1)
  call('noor', 60)
  expect(call('ana', 1)).toBe(0)
  expect(call('leo', 1)).toBe(1)
})

function nodeOn({ db }: Pick<Database, 'db'>) {
  return limiter({
    countTogether: (counts, window) => shareCounts(db, { what: 'calls', counts, window }),
  })
}

test('tokens consumed on one node are drained on the others', async () => {
  await using database = await testDatabase()
  const [first, second] = [nodeOn(database.open), nodeOn(database.open)]
  const stored = () => database.open.db.selectFrom('rate_counts').select('count').execute()
  first.call('203.0.113.7', 900, 1200)
  first.clock.pass(1000)
  await expect.poll(stored, { timeout: 10_000 * patience }).toEqual([{ count: 900 }])
  second.call('203.0.113.7', 400, 1200)
  second.clock.pass(1000)
  await expect.poll(stored, { timeout: 10_000 * patience }).toEqual([{ count: 1300 }])
  // 800 and the 20 of a second were left; 900 are gone elsewhere.
  await expect
    .poll(() => second.call('203.0.113.7', 1, 1200), { timeout: 10_000 * patience })
    .toBe(0)
  expect(second.call('203.0.113.8', 1, 1200)).toBe(1)
})

test('rarely used keys are not stored, others only as hashes', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const node = nodeOn(database.open)
  node.call('203.0.113.8', 300, 1200)
  node.call('203.0.113.7', 301, 1200)
  node.clock.pass(1000)
  const kept = () => db.selectFrom('rate_counts').select(['what', 'count']).execute()
  await expect
    .poll(kept, { timeout: 10_000 * patience })
    .toEqual([{ what: expect.stringMatching(/^calls:[\w-]{43} per \d+ ms$/), count: 301 }])
})

test('without a database a node counts alone, and shares later', async () => {
  await using database = await testDatabase()
  const { db } = database.open
  const tries: number[] = []
  const countTogether: CountTogether = async (counts, window) => {
    tries.push(counts.get('203.0.113.7') ?? 0)
    if (tries.length === 1) throw new Error('Connection terminated')
    return shareCounts(db, { what: 'calls', counts, window })
  }
  const node = limiter({ countTogether })
  expect(node.call('203.0.113.7', 400, 1200)).toBe(400)
  const tryAgain = () => {
    node.call('203.0.113.7', 1, 1200)
    node.clock.pass(1000)
    return tries.length
  }
  await expect.poll(tryAgain, { timeout: 10_000 * patience }).toBeGreaterThan(1)
  expect(tries[1]).toBeGreaterThan(tries[0] ?? 0)
  const kept = () => db.selectFrom('rate_counts').select('count').execute()
  await expect.poll(kept, { timeout: 10_000 * patience }).not.toEqual([])
})
