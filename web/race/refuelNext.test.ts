import { expect, test } from 'vitest'
import { refuelsNext } from './refuelNext.ts'
import type { CarRace } from './shownCarRace.ts'

const visit = { startedAt: 5000, endedAt: null, stoppedAt: null, leftAt: null }
const race = {
  car: { id: 'c1' } as CarRace['car'],
  visits: [visit],
  fills: [{ id: 'f1', kind: 'full' as const, at: 4000, litres: 40 }],
}

test('at a stop without a fill the fuel entry follows the driver change', () => {
  expect(refuelsNext(race)).toBe(true)
  const start = { id: 'f2', kind: 'start' as const, at: 5000, litres: 80 }
  expect(refuelsNext({ ...race, fills: [start] })).toBe(true)
})

test('it does not follow outside the pits, without a car, and after a fill of the stop', () => {
  expect(refuelsNext({ ...race, visits: [] })).toBe(false)
  expect(refuelsNext({ ...race, visits: [{ ...visit, endedAt: 6000 }] })).toBe(false)
  expect(refuelsNext({ ...race, car: null })).toBe(false)
  expect(refuelsNext({ ...race, fills: [{ ...race.fills[0]!, at: 5500 }] })).toBe(false)
})
