import { expect, test } from 'vitest'
import type { CarStrategy } from '#racing/race/carStrategy.ts'
import { fuelFigure } from './fuelFigure.ts'

const car = {
  id: 'c1',
  number: '17',
  name: null,
  carClass: null,
  tankL: 80,
  reserveL: 4,
  burnL: 2,
  archived: false,
}
const at = new Date(2026, 4, 2, 12, 3, 20).getTime()
const full = { id: 'f1', kind: 'full' as const, at, litres: 40 }
const fuel = {
  burn: {
    greenL: 2,
    yellowL: 1,
    plusMinusL: 0.1,
    fills: 1,
    variance: { green: 0, yellow: 0, both: 0 },
  },
  leftL: 44.6,
  plusMinusL: 1.2,
  mostLeftL: 45.8,
  isAssumed: false,
}
const known = (fuel: CarStrategy['fuel']) => ({ fuel, lacksLitres: false })
const lap = {
  sessionId: 's1',
  number: 1,
  startedAt: at,
  timeMs: 100_000,
  kind: 'full' as const,
  isSeen: true,
  yellow: false,
}
const laps = [lap]

test('with counted laps the figure is the fuel left, with its ±', () => {
  const shown = {
    name: 'Fuel',
    litres: '45 L',
    more: '±2',
    isReserve: false,
    isMissing: false,
    isAssumed: false,
  }
  expect(fuelFigure({ car, fills: [full], laps }, known(fuel), true)).toEqual(shown)
  const low = { ...fuel, leftL: 3.9 }
  expect(fuelFigure({ car, fills: [full], laps }, known(low), true)).toMatchObject({
    name: 'Reserve',
    isReserve: true,
  })
  expect(fuelFigure({ car, fills: [full], laps }, known(null), true)).toMatchObject({
    litres: '--',
  })
})

test('a tank that is almost empty stays a warning below its own error', () => {
  const shown = (
    leftL: number,
    plusMinusL: number,
    mostLeftL: number,
    reserveL: number | null = 4,
  ) =>
    fuelFigure(
      { car: { ...car, reserveL }, fills: [full], laps },
      known({ ...fuel, leftL, plusMinusL, mostLeftL }),
      true,
    )
  const warning = { name: 'Reserve', more: null, isReserve: true, isWords: true }
  expect(shown(1.2, 2.5, 3.7)).toMatchObject({ ...warning, litres: 'under 4 L' })
  expect(shown(0, 2.5, 2)).toMatchObject({ ...warning, litres: 'under 2 L' })
  // At zero litres the warning stays.
  expect(shown(0, 3, 0)).toMatchObject({ ...warning, litres: 'under 1 L' })
  // Above the reserve the level is only not known.
  const unsure = { name: 'Fuel', litres: 'not known', isReserve: false, isWords: true }
  expect(shown(4.1, 5, 9.1)).toMatchObject(unsure)
  // Without an entered reserve it is one lap.
  expect(shown(2, 2.5, 4.5, null)).toMatchObject({ ...warning, litres: 'under 5 L' })
  expect(shown(2.2, 2.5, 4.7, null)).toMatchObject(unsure)
  expect(shown(2, 1, 3, null)).toMatchObject({ name: 'Reserve', litres: '2 L', isReserve: true })
})

test('without counted laps the figure is the level at the last entry, with its time', () => {
  const full45 = { car: { ...car, tankL: 45 }, fills: [full] }
  const shown = {
    name: 'Fuel at 12:03',
    litres: '45 L',
    more: null,
    isReserve: false,
    isMissing: false,
    isAssumed: false,
  }
  expect(fuelFigure({ ...full45, laps: [] }, known(fuel), true)).toEqual(shown)
  expect(fuelFigure({ ...full45, laps }, known(fuel), false)).toEqual(shown)
  const none = {
    name: 'Fuel',
    litres: '--',
    more: null,
    isReserve: false,
    isMissing: false,
    isAssumed: false,
  }
  const part = { ...full, kind: 'part' as const, at: at + 60_000 }
  for (const fills of [[], [full, part]])
    expect(fuelFigure({ car, fills, laps: [] }, known(fuel), false)).toEqual(none)
})

test('before the first lap the figure is the level at the start plus later fills', () => {
  const before = { car, laps: [] }
  const start = { ...full, kind: 'start' as const, litres: 60 }
  const shown = { more: null, isReserve: false, isMissing: false, isAssumed: false }
  expect(fuelFigure({ ...before, fills: [] }, known({ ...fuel, leftL: 80 }), true)).toEqual({
    name: 'Fuel at start',
    litres: '80 L',
    ...shown,
  })
  expect(fuelFigure({ ...before, fills: [start] }, known(null), true)).toMatchObject({
    name: 'Fuel at start',
    litres: '60 L',
  })
  const part = { ...full, kind: 'part' as const }
  expect(
    fuelFigure({ ...before, fills: [start, part] }, known({ ...fuel, leftL: 74 }), true),
  ).toMatchObject({
    name: 'Fuel at 12:03',
    litres: '74 L',
  })
})

test('without the litres of the last stop the figure asks for them', () => {
  const lacking = { fuel: null, lacksLitres: true }
  expect(fuelFigure({ car, fills: [full], laps }, lacking, true)).toMatchObject({
    name: 'Litres?',
    litres: 'Enter',
    isMissing: true,
  })
})

test('a full tank that nobody entered is named until the level is known', () => {
  const assumed = { ...fuel, isAssumed: true }
  expect(fuelFigure({ car, fills: [], laps }, known(assumed), true)).toMatchObject({
    litres: '45 L',
    more: 'assumed',
    isAssumed: true,
  })
  expect(fuelFigure({ car, fills: [], laps: [] }, known(assumed), true)).toMatchObject({
    name: 'Fuel',
    litres: '45 L',
    more: 'assumed',
    isAssumed: true,
  })
  // An assumed level below its own error is not known either, or a warning.
  const unsure = { ...assumed, leftL: 8, plusMinusL: 9, mostLeftL: 17 }
  expect(fuelFigure({ car, fills: [], laps }, known(unsure), true)).toMatchObject({
    litres: 'not known',
    isAssumed: true,
  })
  const spent = { ...assumed, leftL: 0.5, mostLeftL: 1.7 }
  expect(fuelFigure({ car, fills: [], laps }, known(spent), true)).toMatchObject({
    litres: 'under 2 L',
    more: null,
    isAssumed: true,
  })
  expect(fuelFigure({ car, fills: [full], laps }, known(fuel), true)).toMatchObject({
    more: '±2',
    isAssumed: false,
  })
})
