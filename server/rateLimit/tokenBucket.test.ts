import { expect, test } from 'vitest'
import { TokenBucket } from './tokenBucket.ts'

const rate = { capacity: 5, refillPerSecond: 2 }

test('a full bucket allows its capacity at once and then no more', () => {
  const bucket = new TokenBucket(rate, 1000)
  expect(consumed(bucket, 1000, 10)).toBe(5)
})

test('a bucket refills by elapsed time, up to its capacity', () => {
  const bucket = new TokenBucket(rate, 0)
  consumed(bucket, 0, 5)
  expect(consumed(bucket, 1000, 10)).toBe(2)
  expect(consumed(bucket, 61_000, 10)).toBe(5)
})

test('fractions of a token add up across calls', () => {
  const bucket = new TokenBucket(rate, 0)
  consumed(bucket, 0, 5)
  let allowed = 0
  for (let nowMs = 100; nowMs <= 2000; nowMs += 100) allowed += consumed(bucket, nowMs, 3)
  expect(allowed).toBe(4)
})

test('a cost above the remaining tokens consumes nothing', () => {
  const bucket = new TokenBucket(rate, 0)
  expect(bucket.tryConsume(0, 6)).toBe(false)
  expect(bucket.tryConsume(0, 5)).toBe(true)
})

test('an earlier time neither refills nor empties the bucket', () => {
  const bucket = new TokenBucket(rate, 1000)
  consumed(bucket, 1000, 5)
  expect(consumed(bucket, 0, 5)).toBe(0)
  expect(consumed(bucket, 1500, 5)).toBe(1)
})

test('the bucket returns the retry time and whether it is full', () => {
  const bucket = new TokenBucket({ capacity: 1, refillPerSecond: 0.1 }, 0)
  expect(bucket.retryAfterSeconds(0)).toBe(0)
  consumed(bucket, 0, 1)
  expect(bucket.retryAfterSeconds(500)).toBe(10)
  expect(bucket.isFull(9000)).toBe(false)
  expect(bucket.isFull(10_000)).toBe(true)
})

function consumed(bucket: TokenBucket, nowMs: number, tries: number): number {
  return Array.from({ length: tries }).filter(() => bucket.tryConsume(nowMs)).length
}
