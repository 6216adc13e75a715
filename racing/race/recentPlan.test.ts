import { expect, test } from 'vitest'
import { noRules } from '#contract/shared/raceRules.ts'
import { drivenCar } from '#testing/drivenCar.ts'
import type { LaidPlan } from './carPlan.ts'
import type { RaceEntry } from './carRace.ts'
import { planOfStop, recentPlan } from './recentPlan.ts'

const lapMs = 100_000

test('a stop follows the plan that called the car in, though the rest now needs none', () => {
  const race = {
    length: { in: 'time', ms: 36 * lapMs },
    rules: noRules,
    startedAt: 0,
    pauses: [],
    endedAt: null,
  } as unknown as RaceEntry
  const laps = Array.from({ length: 23 }, (_, index) => ({
    startedAt: index * lapMs,
    timeMs: lapMs,
    kind: 'full' as const,
    isSeen: true,
    yellow: false,
  }))
  const stop = { startedAt: 23.1 * lapMs, endedAt: null, stoppedAt: 23.2 * lapMs, leftAt: null }
  const given = {
    race,
    laps,
    plan: { driverIds: ['ana', 'leo'], stopMs: lapMs, lapMs: null, stints: [] },
    car: { tankL: 80, reserveL: 4, burnL: 2 },
    fills: [{ kind: 'start' as const, at: 0, litres: 70 }],
    visits: [stop],
  }
  const car = drivenCar(given)
  const nextOf = (planned: LaidPlan | null) =>
    planned?.plan.stints.filter(({ state }) => state === 'next').length
  const nowMs = 27 * lapMs
  expect(nextOf(recentPlan(drivenCar({ ...given, visits: [] }), stop.startedAt))).toBe(1)
  expect(nextOf(recentPlan(car, nowMs))).toBe(0)
  expect(nextOf(planOfStop(car, nowMs))).toBe(1)
  const left = drivenCar({ ...given, visits: [{ ...stop, endedAt: nowMs }] })
  expect(nextOf(planOfStop(left, nowMs))).toBe(0)
})
