import { expect, test } from 'vitest'
import { minuteMs } from '#contract/shared/durations.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { carPlan } from '#racing/race/carPlan.ts'
import { planSheet } from '#racing/race/planSheet.ts'
import { drivenCar } from '#testing/drivenCar.ts'
import { exampleRace } from '#testing/exampleRace.ts'
import { planSentence } from './planSentence.ts'

/** Returns the sentences above the plan of a race that is over, which one driver drove. */
function sentences(stoppedS: readonly (number | null)[]) {
  const rules = {
    ...noRules,
    minStop: { ms: minuteMs, counts: 'lane' as const, onlyWithFuel: false },
  }
  const length = { in: 'time', ms: 60 * minuteMs } as const
  const race = exampleRace({ length, rules, startedAt: 0, endedAt: 60 * minuteMs })
  const visits = stoppedS.map((seconds, index) => {
    const startedAt = (index + 1) * 10 * minuteMs
    const stoppedAt = seconds === null ? null : startedAt + 10_000
    const leftAt = stoppedAt === null ? null : stoppedAt + (seconds ?? 0) * 1000
    return { startedAt, stoppedAt, leftAt, endedAt: (leftAt ?? startedAt) + 20_000 }
  })
  const plan = { driverIds: [], stopMs: minuteMs, lapMs: 100_000, stints: [] }
  const car = drivenCar({ race, visits, plan })
  const laid = carPlan(car, 60 * minuteMs)!
  const { count, why } = planSentence(planSheet(car, laid), laid.request)
  return `${count} ${why}`.trim()
}

test('stops without a driver change are counted above the plan', () => {
  expect(sentences([60, 90])).toBe('1 stint, 2 stops.')
  expect(sentences([90])).toBe('1 stint, 1 stop.')
  expect(sentences([])).toBe('1 stint, no stop.')
})

test('short stops and visits without a stop are named above the plan', () => {
  expect(sentences([60, 8])).toBe('1 stint, 2 stops. 2 stops made, 1 under the minimum.')
  expect(sentences([60, null])).toBe('1 stint, 1 stop. 1 visit, no stop seen.')
  expect(sentences([null, null])).toBe('1 stint, no stop. 2 visits, no stop seen.')
})
