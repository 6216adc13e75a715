import { expect, test } from 'vitest'
import { driverName, plateName } from './driverName.ts'

const nobody = { id: '', firstName: null, lastName: null, email: null }

// spec: TH-11
test('a driver is shown with first and last name', () => {
  const driver = { ...nobody, firstName: 'Théo', lastName: 'Garnier', email: 'theo@example.com' }
  expect(driverName(driver)).toBe('Théo Garnier')
  expect(plateName(driver)).toBe('Garnier')
})

test('a driver without a full name is shown by their email address', () => {
  const driver = { ...nobody, firstName: 'Théo', email: 'theo@example.com' }
  expect(driverName(driver)).toBe('theo@example.com')
  expect(driverName({ ...nobody, email: 'theo@example.com' })).toBe('theo@example.com')
})

test('a driver without an email address is shown by whatever name there is', () => {
  expect(driverName({ ...nobody, lastName: 'Garnier' })).toBe('Garnier')
  expect(driverName(nobody)).toBe('')
})
