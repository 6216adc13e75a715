import { expect, test } from 'vitest'
import { exampleCar, exampleRace } from '#testing/exampleRace.ts'
import { storedCarRace, wholeLaps } from '#testing/storedCarRace.ts'
import { stintFigures } from '#web/race/stintFigures.ts'
import { stintCells } from './stintCells.ts'

const lapMs = 100_000
const current = { lapTiming: true, isOutdated: false }

test('without laps to pit the reason takes the place of the figure', () => {
  const car = exampleCar({ tankL: 80, reserveL: 4, burnL: 2 })
  const fills = [{ id: 'f1', kind: 'start' as const, at: 0, litres: 80 }]
  const laps = wholeLaps(24)
  const standing = { stoppedAt: 20.2 * lapMs, leftAt: 20.8 * lapMs }
  const visits = [{ startedAt: 20.1 * lapMs, ...standing, endedAt: 20.9 * lapMs }]
  const race = { ...storedCarRace({ car, fills }), laps, visits }
  expect(stintCells(race, current, 24.5 * lapMs)?.pitIn).toEqual({
    name: 'Pit in',
    value: 'no litres',
    warns: false,
    isWords: true,
  })
  const figures = stintFigures(race, { lapTiming: true, gpsPoor: false }, 24.5 * lapMs)
  expect(figures?.pit).toEqual({ name: 'Pit in', value: 'no litres', warns: false })
  const filled = [...fills, { id: 'f2', kind: 'full' as const, at: 20.5 * lapMs, litres: 41 }]
  const known = stintCells({ ...race, fills: filled }, current, 24.5 * lapMs)?.pitIn
  expect(known).toMatchObject({ name: 'Pit in: fuel', more: 'laps' })
})

test('a tank that runs dry warns in each lap until it is filled', () => {
  const car = exampleCar({ tankL: 24, reserveL: 3, burnL: 3.8 })
  const fills = [{ id: 'f1', kind: 'start' as const, at: 0, litres: 24 }]
  const shown = (driven: number) => {
    const race = {
      ...storedCarRace({ car, fills }),
      laps: wholeLaps(Math.floor(driven)),
      visits: [],
    }
    const { fuel, pitIn } = stintCells(race, current, driven * lapMs) ?? {}
    return [fuel?.name, fuel?.value, fuel?.warns, pitIn?.name, pitIn?.value].join(', ')
  }
  const now = 'Pit in: fuel, this'
  expect(shown(4.9)).toBe(`Fuel, 5 L, false, ${now}`)
  expect([5.6, 6, 6.5, 7, 9].map(shown)).toEqual(
    [3, 4, 2, 1, 1].map((litres, index) => {
      const value = index === 0 ? `${litres} L` : `under ${litres} L`
      return `Reserve, ${value}, true, ${now}`
    }),
  )
})

test('after a race lane and message screen show whether the car has finished it', () => {
  const length = { in: 'laps' as const, laps: 3 }
  const race = exampleRace({ length, startedAt: 0, endedAt: 600_000 })
  const stored = storedCarRace({ car: exampleCar(), race })
  const shown = (count: number) => {
    const carRace = { ...stored, laps: wholeLaps(count), visits: [] }
    const figures = stintFigures(carRace, { lapTiming: true, gpsPoor: false }, 700_000)
    return { lane: stintCells(carRace, current, 700_000)?.pitIn, message: figures?.pit }
  }
  const named = (value: string) => ({
    lane: { name: 'Race', value, warns: false, isWords: true },
    message: { name: 'Race', value, warns: false },
  })
  expect(shown(3)).toEqual(named('Finished'))
  expect(shown(2)).toEqual(named('Over'))
  expect(shown(0)).toEqual(named('Over'))
})

test('figures of before the data link was off ask for no stop', () => {
  const car = exampleCar({ tankL: 24, reserveL: 3, burnL: 3.8 })
  const fills = [{ id: 'f1', kind: 'start' as const, at: 0, litres: 24 }]
  const race = { ...storedCarRace({ car, fills }), laps: wholeLaps(5), visits: [] }
  const warns = (isOutdated: boolean) => {
    const { pitIn, fuel } = stintCells(race, { lapTiming: true, isOutdated }, 5.6 * lapMs) ?? {}
    return [pitIn?.warns, fuel?.warns]
  }
  expect(warns(false)).toEqual([true, true])
  expect(warns(true)).toEqual([false, false])
})
