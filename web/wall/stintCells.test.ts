import { expect, test } from 'vitest'
import { exampleCar, exampleRace } from '#testing/exampleRace.ts'
import { storedCarRace } from '#testing/storedCarRace.ts'
import { stintFigures } from '#web/race/stintFigures.ts'
import { stintCells } from './stintCells.ts'

const lapMs = 100_000

test('without laps to pit the reason takes the place of the figure', () => {
  const car = exampleCar({ tankL: 80, reserveL: 4, burnL: 2 })
  const fills = [{ id: 'f1', kind: 'start' as const, at: 0, litres: 80 }]
  const laps = Array.from({ length: 24 }, (_, index) => ({
    sessionId: 's1',
    number: index + 1,
    startedAt: index * lapMs,
    timeMs: lapMs,
    kind: 'full' as const,
    isSeen: true,
    yellow: false,
  }))
  const standing = { stoppedAt: 20.2 * lapMs, leftAt: 20.8 * lapMs }
  const visits = [{ startedAt: 20.1 * lapMs, ...standing, endedAt: 20.9 * lapMs }]
  const race = { ...storedCarRace({ car, fills }), laps, visits }
  expect(stintCells(race, true, 24.5 * lapMs)?.pitIn).toEqual({
    name: 'Pit in',
    value: 'no litres',
    warns: false,
    isWords: true,
  })
  const figures = stintFigures(race, { lapTiming: true, gpsPoor: false }, 24.5 * lapMs)
  expect(figures?.pit).toEqual({ name: 'Pit in', value: 'no litres' })
  const filled = [...fills, { id: 'f2', kind: 'full' as const, at: 20.5 * lapMs, litres: 41 }]
  const known = stintCells({ ...race, fills: filled }, true, 24.5 * lapMs)?.pitIn
  expect(known).toMatchObject({ name: 'Pit in: fuel', more: 'laps' })
})

test('a car that has finished its race says so, on the lane and on the message screen', () => {
  const race = {
    ...storedCarRace({ car: exampleCar(), race: exampleRace({ startedAt: 0, endedAt: 600_000 }) }),
    laps: [],
    visits: [],
  }
  const pitIn = stintCells(race, true, 700_000)?.pitIn
  expect(pitIn).toEqual({ name: 'Race', value: 'Finished', warns: false, isWords: true })
  const figures = stintFigures(race, { lapTiming: true, gpsPoor: false }, 700_000)
  expect(figures?.pit).toEqual({ name: 'Race', value: 'Finished' })
})
