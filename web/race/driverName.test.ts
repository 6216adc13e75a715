import { expect, test } from 'vitest'
import { carPhone } from '#testing/storedCarRace.ts'
import {
  driverName,
  drivingUserId,
  lettersOf,
  personName,
  personPlateName,
  plateName,
  stintDriverName,
} from './driverName.ts'

const nobody = { id: '', firstName: null, lastName: null, email: null }

// spec: MS-2 TH-11
test('a driver is shown with first and last name', () => {
  const driver = { ...nobody, firstName: 'Théo', lastName: 'Garnier', email: 'theo@example.com' }
  expect(personName(driver)).toBe('Théo Garnier')
  expect(personPlateName(driver)).toBe('Garnier')
})

test('a driver without a full name is shown by their email address', () => {
  const driver = { ...nobody, firstName: 'Théo', email: 'theo@example.com' }
  expect(personName(driver)).toBe('theo@example.com')
  expect(personName({ ...nobody, email: 'theo@example.com' })).toBe('theo@example.com')
})

test('a driver without an email address is shown by whatever name there is', () => {
  expect(personName({ ...nobody, lastName: 'Garnier' })).toBe('Garnier')
  expect(personName(nobody)).toBe('')
})

test('the current driver is shown instead of the person who holds the phone', () => {
  const driver = { id: 'm', firstName: 'Marta', lastName: 'Lindqvist', email: 'm@example.com' }
  const session = { driver, currentDriver: { id: 't', name: 'Théo Garnier', userId: null } }
  expect(driverName(session)).toBe('Théo Garnier')
  expect(plateName(session)).toBe('Garnier')
  expect(drivingUserId(session)).toBeNull()
  const alone = { driver, currentDriver: null }
  expect(driverName(alone)).toBe('Marta Lindqvist')
  expect(plateName(alone)).toBe('Lindqvist')
  expect(drivingUserId(alone)).toBe('m')
})

test('the name of a session never stands for a driver', () => {
  const nameOf = (person: string) => {
    const phone = carPhone({ person, name: 'Car 7, Night One' })
    return stintDriverName({ driverId: null, sessionId: 's1' }, { drivers: [], phones: [phone] })
  }
  expect(nameOf('')).toBe('No driver')
  expect(lettersOf(nameOf(''))).toBe('---')
  expect(lettersOf(nameOf('Ana Winter'))).toBe('Winter')
})
