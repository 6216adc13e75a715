import { expect, test } from 'vitest'
import { minuteMs } from '#contract/shared/durations.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { layPlan } from './plan.ts'
import type { PlanRequest } from './planTypes.ts'
import { reachedLimit } from './reaches.ts'

const request: PlanRequest = {
  raceMs: 360 * minuteMs,
  nowMs: 110 * minuteMs,
  driven: [
    { driver: 'Ana', fromMs: 0, toMs: 60 * minuteMs },
    { driver: 'Ana', fromMs: 63 * minuteMs, toMs: null },
  ],
  drivers: ['Ana', 'Leo'],
  fixed: [],
  stopMs: 3 * minuteMs,
  lapMs: 2 * minuteMs,
  fuelMs: null,
  rules: { ...noRules, maxStintMs: 70 * minuteMs, maxDriverMs: 120 * minuteMs },
}

test('the limit that is reached first counts, with the laps until then', () => {
  expect(reachedLimit(layPlan(request).stints, request)).toEqual({
    driver: 'Ana',
    limit: 'driver',
    limitMs: 120 * minuteMs,
    leftMs: 13 * minuteMs,
    laps: 6,
  })
})

test('a driver in a row without a rest reaches that limit', () => {
  const rules = { ...noRules, inARow: { maxMs: 90 * minuteMs, restMs: 30 * minuteMs } }
  const late = { ...request, rules }
  expect(reachedLimit(layPlan(late).stints, late)).toMatchObject({
    limit: 'rest',
    leftMs: -17 * minuteMs,
    laps: -9,
  })
})

test('without a limit, or before the start, nothing is reached', () => {
  const free = { ...request, rules: noRules }
  expect(reachedLimit(layPlan(free).stints, free)).toBeNull()
  const before = { ...request, driven: [], nowMs: 0 }
  expect(reachedLimit(layPlan(before).stints, before)).toBeNull()
})
