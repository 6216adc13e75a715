import { expect, test } from 'vitest'
import { driverName, drivingUserId, personName, personPlateName, plateName } from './driverName.ts'

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
