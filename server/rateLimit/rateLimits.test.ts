import { expect, test } from 'vitest'
import type { Refusal } from '#contract/refusal.ts'
import { type Limit, RateLimits } from './rateLimits.ts'

const perMinute: Limit = { what: 'calls', key: 'ana', limit: 60, windowMs: 60_000 }

/** Limits with a clock that only `pass` advances. */
function atZero() {
  let nowMs = 0
  const limits = new RateLimits({ monotonicMs: () => nowMs })
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { limits, pass }
}

/** Counts actions, and returns how many were allowed. */
function allowed(limits: RateLimits, limit: Limit, times: number): number {
  return Array.from({ length: times }).filter(() => limits.tryConsume(limit)).length
}

test('a limit allows as many at once, and again within the window', () => {
  const { limits, pass } = atZero()
  expect(allowed(limits, perMinute, 100)).toBe(60)
  pass(1000)
  expect(allowed(limits, perMinute, 100)).toBe(1)
  expect(allowed(limits, { ...perMinute, key: 'leo' }, 100)).toBe(60)
  expect(allowed(limits, { ...perMinute, what: 'pages' }, 100)).toBe(60)
})

test('a refusal states when to retry, and counts nothing', () => {
  const { limits } = atZero()
  limits.enforce({ ...perMinute, cost: 55 })
  const refusal = refusalOf(() => limits.enforce({ ...perMinute, cost: 10 }))
  expect(refusal).toMatchObject({ code: 'too-many', retryAfterSeconds: 5 })
  limits.enforce({ ...perMinute, cost: 5 })
  expect(refusalOf(() => limits.require(perMinute))).toMatchObject({ retryAfterSeconds: 1 })
})

test('what happened beyond the limit delays the next action', () => {
  const { limits, pass } = atZero()
  limits.require(perMinute)
  limits.charge({ ...perMinute, cost: 65 })
  pass(5000)
  expect(limits.tryConsume(perMinute)).toBe(false)
  pass(1000)
  expect(limits.tryConsume(perMinute)).toBe(true)
})

function refusalOf(act: () => void): Refusal | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    return error as Refusal
  }
}
