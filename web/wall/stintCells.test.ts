import { expect, test } from 'vitest'
import type { CarPlan } from '#contract/races.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { carStrategy } from '#racing/race/carStrategy.ts'
import { exampleCar, exampleDrivers, exampleRace, exampleStints } from '#testing/exampleRace.ts'
import { storedCarRace, wholeLaps } from '#testing/storedCarRace.ts'
import { stintBoard } from '#web/drive/stintBoard.ts'
import { stintFigures } from '#web/race/stintFigures.ts'
import { carLines } from '#web/teams/raceBoardFigures.ts'
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

test('every screen asks for the driver while a planned change is not answered', () => {
  const stop = { startedAt: 2 * lapMs, stoppedAt: 2.2 * lapMs, leftAt: 2.6 * lapMs }
  const drivers = exampleDrivers(['Ana Winter', 'Leo Sommer'])
  const plan = {
    driverIds: drivers.map(({ id }) => id),
    stopMs: 60_000,
    lapMs,
    stints: [],
    // Its other values decide nothing.
  } as unknown as CarPlan
  const rules = { ...noRules, maxStintMs: 3 * lapMs }
  const length = { in: 'time' as const, ms: 9 * lapMs }
  const race = {
    ...storedCarRace({
      race: exampleRace({ length, rules, startedAt: 0 }),
      plan,
      drivers,
      stints: exampleStints(0, [drivers[0]?.id, 0, null, 's1']),
    }),
    laps: wholeLaps(2),
    visits: [{ ...stop, endedAt: 2.9 * lapMs }],
  }
  const nowMs = 3.5 * lapMs
  const shown = { name: 'Stint', value: 'driver?', warns: false, isWords: true }
  expect(stintCells(race, current, nowMs)?.stint).toEqual(shown)
  expect(stintFigures(race, { lapTiming: true, gpsPoor: false }, nowMs)?.stint).toEqual(shown)
  const board = stintBoard(carStrategy(race, nowMs))
  expect(board?.stint).toEqual({ time: 'driver?', left: null, percent: null })
  expect(board?.pitIn).toMatchObject({ isSoon: false, word: 'PIT IN' })
  const [line] = carLines([{ car: { number: '7' }, race }], nowMs)
  expect(line).toMatchObject({ value: '2 laps', reasons: ['driver?', 'plan'], warns: false })
})

test('the next stop is not urgent before the start of the race', () => {
  const plan = { driverIds: [], stopMs: 60_000, lapMs, stints: [] }
  const rules = { ...noRules, stops: { kind: 'count' as const, count: 2 }, maxStintMs: 120_000 }
  const shown = (startedAt: number | null) => {
    const length = { in: 'time' as const, ms: 840_000 }
    const race = exampleRace({ length, rules, startedAt })
    const stored = storedCarRace({ car: exampleCar(), race, plan })
    return stintCells({ ...stored, laps: [], visits: [] }, current, 10_000)?.pitIn
  }
  expect(shown(null)).toMatchObject({ value: 'this', warns: false })
  expect(shown(10_000)).toMatchObject({ warns: true })
})

test('the litres of the last stop are not urgent after the finish', () => {
  const length = { in: 'laps' as const, laps: 6 }
  const race = exampleRace({ length, startedAt: 0 })
  const visits = [
    { startedAt: 2.1 * lapMs, stoppedAt: 2.2 * lapMs, leftAt: null, endedAt: 2.4 * lapMs },
  ]
  const shown = (count: number) => {
    const stored = storedCarRace({ car: exampleCar({ tankL: 24, burnL: 3.8 }), race })
    const carRace = { ...stored, laps: wholeLaps(count), visits }
    const { warns, isMissing } = stintCells(carRace, current, count * lapMs)?.fuel ?? {}
    return { warns, isMissing }
  }
  expect(shown(5)).toEqual({ warns: true, isMissing: true })
  expect(shown(6)).toEqual({ warns: false, isMissing: true })
})
