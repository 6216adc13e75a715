import { expect, test } from 'vitest'
import { noRules } from '#contract/shared/raceRules.ts'
import { exampleCar, exampleRace } from '#testing/exampleRace.ts'
import { storedCarRace } from '#testing/storedCarRace.ts'
import { exitFigure } from './exitFigure.ts'
import { shortStop } from './shortStop.ts'

const visit = { startedAt: 1000, stoppedAt: 5000, leftAt: 38_000, endedAt: 41_600 }

function figure(more: Partial<typeof noRules>, stoppedAt: number | null) {
  const race = exampleRace({ startedAt: 0, rules: { ...noRules, ...more } })
  const carRace = { ...storedCarRace({ car: exampleCar(), race }), laps: [], visits: [] }
  return exitFigure(carRace, { ...visit, stoppedAt }, false)
}

const minimum = { minStop: { counts: 'lane' as const, ms: 50_000, onlyWithFuel: false } }

test('the time of a short stop and what it lacks add up to the minimum', () => {
  expect(figure(minimum, 5000)).toEqual({
    word: 'Left 0:10 early',
    time: '0:40 of 0:50',
    measured: '0:40 of 0:50 at the pit-out line',
  })
  expect(shortStop(9400, 50_000)).toEqual({ time: '0:40', missing: '0:10' })
  expect(shortStop(200, 180_000)).toEqual({ time: '2:59', missing: '0:01' })
  expect(shortStop(10_000.000_1, 50_000)).toEqual({ time: '0:40', missing: '0:10' })
})

test('a visit without a stop is named where the rules demand stops', () => {
  const none = { word: 'No stop seen', time: '0:40 in the pits', measured: '0:40 in the pits' }
  expect(figure(minimum, null)).toEqual(none)
  const stops = { stops: { kind: 'count' as const, count: 2 } }
  expect(figure(stops, null)).toEqual(none)
  expect(figure(stops, 5000)).toBeNull()
  expect(figure({}, null)).toBeNull()
})
