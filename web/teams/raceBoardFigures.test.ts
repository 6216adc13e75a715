import { expect, test } from 'vitest'
import { minuteMs } from '#contract/shared/durations.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import type { Visit } from '#racing/race/stopClock.ts'
import { exampleCar, exampleLap, exampleRace } from '#testing/exampleRace.ts'
import { carPhone, storedCarRace, wholeLaps } from '#testing/storedCarRace.ts'
import { carLines } from './raceBoardFigures.ts'

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
  ['with its litres', withLitres, ['2 stops missing']],
  ['without the litres of its stop', [], ['no litres', '1 stop missing']],
])('a car %s has no next stop after the time of the race', (_, fills, reasons) => {
  // On its last lap, and after it.
  expect(carLines([carAfter(5, fills)], 590_000)).toMatchObject([{ value: null, reasons }])
  expect(carLines([carAfter(6, fills)], 610_000)).toMatchObject([
    { value: 'Finished', warns: false },
  ])
})

test('a car whose next stop is not known names the missing stops', () => {
  expect(carLines([carAfter(0, withLitres)], 540_000)).toEqual([
    { number: '17', value: null, reasons: ['2 stops missing'], warns: false },
  ])
})

/** A car that has driven four laps of one stint, limited to six minutes, in a race of nine minutes and a half. */
function fourLapsOf(number: string, litres: number, visits: Visit[] = []) {
  const stored = storedCarRace({
    car: { ...car, number },
    plan: { driverIds: [], stopMs: minuteMs, lapMs, stints: [] },
    phones: [carPhone({ laps: wholeLaps(4), visits })],
    fills: [{ id: 's1', at: 0, litres, kind: 'start' }],
    race: exampleRace({
      startedAt: 0,
      length: { in: 'time', ms: 9.5 * minuteMs },
      rules: { ...noRules, stops: { kind: 'count', count: 2 }, maxStintMs: 6 * minuteMs },
    }),
  })
  return { car: { number }, race: { ...stored, ...carRaceOf(stored) } }
}

test('every car has a line, the most urgent first, with all that is urgent', () => {
  const standing = { ...stop, startedAt: 410_000, leftAt: null, endedAt: null, stoppedAt: 415_000 }
  const cars = [
    fourLapsOf('7', 40),
    fourLapsOf('5', 40, [standing]),
    fourLapsOf('12', 40),
    fourLapsOf('44', 18),
  ]
  expect(carLines(cars, 422_000)).toEqual([
    {
      number: '44',
      value: 'this lap',
      reasons: ['2 stops missing', 'stint\u00a0\u22121:02', 'under 3 L'],
      warns: true,
    },
    ...['7', '12'].map(number => ({
      number,
      value: 'this lap',
      reasons: ['2 stops missing', 'stint\u00a0\u22121:02'],
      warns: true,
    })),
    { number: '5', value: 'In pits', reasons: [], warns: false },
  ])
})
