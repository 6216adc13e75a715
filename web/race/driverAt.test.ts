import { expect, test } from 'vitest'
import { driverAt, hasNamedDrivers } from './driverAt.ts'

const driver = { id: 'm', firstName: 'Marta', lastName: 'Lindqvist', email: null }
const theo = { id: 't', name: 'Théo Garnier', userId: null, archived: true }
const stints = [
  { id: 's1', number: 1, driverId: null, from: 1000, to: 2000 },
  { id: 'b', number: 2, driverId: 't', from: 2000, to: null },
]

test('a time names the driver of its stint, also an archived one', () => {
  const race = { stints, drivers: [theo] }
  expect([0, 1000, 1999, 2000, 9000].map(time => driverAt({ driver }, race, time))).toEqual([
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
