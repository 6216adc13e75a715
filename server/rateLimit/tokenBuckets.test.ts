import { expect, test } from 'vitest'
import { TokenBuckets } from './tokenBuckets.ts'

test('each key has a bucket of its own', () => {
  const buckets = new TokenBuckets({ capacity: 1, refillPerSecond: 1 })
  expect([buckets.tryConsume('ana', 0), buckets.tryConsume('ana', 0)]).toEqual([true, false])
  expect(buckets.tryConsume('leo', 0)).toBe(true)
  expect(buckets.tryConsume('ana', 1000)).toBe(true)
})

test('full buckets are evicted first when there are too many keys', () => {
  const buckets = new TokenBuckets({ capacity: 2, refillPerSecond: 1 }, 10)
  for (let n = 0; n < 9; n++) buckets.tryConsume(`early ${n}`, 0)
  buckets.tryConsume('late', 5000, 2)
  expect(buckets.tryConsume('new', 5000)).toBe(true)
  expect(buckets.size).toBe(2)
  expect(buckets.tryConsume('late', 5000)).toBe(false)
})

test('the number of keys is bounded while all of them are in use', () => {
  const buckets = new TokenBuckets({ capacity: 1, refillPerSecond: 0.001 }, 100)
  for (let n = 0; n < 1000; n++) buckets.tryConsume(`key ${n}`, 0)
  expect(buckets.size).toBeLessThanOrEqual(100)
})
