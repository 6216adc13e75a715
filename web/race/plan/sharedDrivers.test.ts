import { expect, test } from 'vitest'
import { sharedDrivers } from './sharedDrivers.ts'

test('a driver who was chosen for two cars is found with both', () => {
  const cars = [
    { number: '7', driverIds: ['leo', 'mia'] },
    { number: '12', driverIds: ['sara', 'mia'] },
    { number: '44', driverIds: [] },
  ]
  expect(sharedDrivers(cars)).toEqual([{ driverId: 'mia', cars: ['7', '12'] }])
})
