import { expect, test } from 'vitest'
import { minuteMs } from '#contract/shared/durations.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { exampleCar, exampleLap, exampleRace } from '#testing/exampleRace.ts'
import { carPhone, storedCarRace } from '#testing/storedCarRace.ts'
import { nextStops } from './raceBoardFigures.ts'

const lapMs = 100_000
const car = exampleCar({ tankL: 60, reserveL: 3, burnL: 4 })
const withLitres = [{ id: 's1', at: 0, litres: 36, kind: 'start' as const }]
const stop = { startedAt: 210_000, stoppedAt: 220_000, leftAt: 230_000, endedAt: 240_000 }

/** A car in a race of nine and a half minutes that requires two stops, after this many laps and a stop. */
function carAfter(laps: number, fills: typeof withLitres) {
  const driven = Array.from({ length: laps }, (_, index) =>
    exampleLap(index + 1, { startedAt: index * lapMs, timeMs: lapMs }),
  )
  const stored = storedCarRace({
    car,
    plan: { driverIds: [], stopMs: minuteMs, lapMs, stints: [] },
    phones: [carPhone({ laps: driven, visits: fills.length > 0 ? [] : [stop] })],
    fills,
    race: exampleRace({
      startedAt: 0,
      length: { in: 'time', ms: 9.5 * minuteMs },
      rules: { ...noRules, stops: { kind: 'count', count: 2 } },
    }),
  })
  return { car, race: { ...stored, ...carRaceOf(stored) } }
}

test.each([
  ['with its litres', withLitres],
  ['without the litres of its stop', []],
])('a car %s has no next stop after the time of the race', (_, fills) => {
  // On its last lap, and after it.
  expect(nextStops([carAfter(5, fills)], 590_000)).toEqual([])
  expect(nextStops([carAfter(6, fills)], 610_000)).toEqual([])
})

test('a car whose next stop is not known is left out', () => {
  expect(nextStops([carAfter(0, withLitres)], 540_000)).toEqual([])
})
