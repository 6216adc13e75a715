import { expect, test } from 'vitest'
import { noRules } from '#contract/shared/raceRules.ts'
import { currentStop, ruleOfVisit } from './currentStop.ts'

const minimum = { ms: 300_000, counts: 'lane' as const, onlyWithFuel: true }
const visit = { startedAt: 1000, endedAt: null, stoppedAt: 20_000, leftAt: null }
const carRace = (litres: readonly number[]) => ({
  race: {
    rules: { ...noRules, minStop: minimum },
    length: null,
    startsAt: null,
    startedAt: 0,
    endedAt: null,
    pauses: [],
  },
  plan: null,
  laps: [],
  visits: [visit],
  fills: litres.map(each => ({ at: 30_000, litres: each, kind: 'part' as const })),
})

test('a minimum for stops with fuel counts until it was entered that there was none', () => {
  expect(currentStop(carRace([]), 40_000)?.minimumMs).toBe(300_000)
  expect(currentStop(carRace([20]), 40_000)?.minimumMs).toBe(300_000)
  expect(currentStop(carRace([0]), 40_000)).toMatchObject({ minimumMs: null, doneAt: null })
  expect(currentStop({ ...carRace([]), race: null }, 40_000)?.minimumMs).toBeNull()
})

test('no minimum counts for a visit after the race, and none is timed then', () => {
  const { race, ...car } = carRace([])
  const over = (endedAt: number) => ({ ...car, race: { ...race, endedAt } })
  expect(ruleOfVisit(over(900), visit)).toBeNull()
  expect(ruleOfVisit(over(2000), visit)?.minimumMs).toBe(300_000)
  expect(currentStop(over(2000), 40_000)).toBeNull()
})

test('a car that has finished has no stop before "Race over" is pressed', () => {
  const { race, ...car } = carRace([])
  const lap = { sessionId: 's1', number: 1, kind: 'full', isSeen: true, yellow: false } as const
  const timed = { ...race, length: { in: 'time' as const, ms: 800 } }
  const finished = { ...car, race: timed, laps: [{ ...lap, startedAt: 0, timeMs: 900 }] }
  expect(ruleOfVisit(finished, visit)).toBeNull()
  expect(currentStop(finished, 40_000)).toBeNull()
  expect(currentStop({ ...finished, laps: [] }, 40_000)?.minimumMs).toBe(300_000)
})

test('fuel of an earlier stop does not decide about a later one', () => {
  const race = carRace([0])
  expect(ruleOfVisit(race, visit)).toBeNull()
  expect(ruleOfVisit(race, { ...visit, startedAt: 35_000 })).toMatchObject({ minimumMs: 300_000 })
  expect(ruleOfVisit(race, undefined)).toMatchObject({ minimumMs: 300_000 })
})
