import { expect, test } from 'vitest'
import { carPhone } from '#testing/storedCarRace.ts'
import { driverAt, hasNamedDrivers } from './driverAt.ts'

const phones = [
  carPhone({ sessionId: 's0', person: 'Ana Winter' }),
  carPhone({ sessionId: 's1', person: 'Marta Lindqvist' }),
]
const theo = { id: 't', name: 'Théo Garnier', userId: null, archived: true }
const stints = [
  { id: 's1', number: 1, sessionId: 's1', driverId: null, from: 1000, to: 2000 },
  { id: 'b', number: 2, sessionId: 's1', driverId: 't', from: 2000, to: null },
]

test('a time names the driver of its stint, also an archived one', () => {
  const race = { stints, drivers: [theo], phones }
  expect([0, 1000, 1999, 2000, 9000].map(time => driverAt(race, time))).toEqual([
    'Marta Lindqvist',
    'Marta Lindqvist',
    'Marta Lindqvist',
    'Théo Garnier',
    'Théo Garnier',
  ])
})

test('a session whose driver was never named has no named drivers', () => {
  expect(hasNamedDrivers({ stints: stints.slice(0, 1) })).toBe(false)
  expect(hasNamedDrivers({ stints })).toBe(true)
  expect(hasNamedDrivers({ stints: stints.slice(1) })).toBe(true)
})
