import { expect, test } from 'vitest'
import type { EndedSession } from '#contract/sessions.ts'
import { exampleDrivers, exampleId } from '#testing/exampleRace.ts'
import { proposedDriver } from './proposedDriver.ts'

const [ada, ben] = [exampleId(1), exampleId(2)]
const carId = exampleId(17)
const drivers = exampleDrivers(['Ada', 'Ben'])
const drove = (driverId: string) =>
  ({ car: { id: carId, number: '17' }, currentDriver: { id: driverId } }) as EndedSession
const phone = {
  carId,
  remembered: { carId, driverId: ada },
  ended: [drove(ben), drove(ada)],
  drivers,
  userId: exampleId(99),
}

test('a phone that goes on in its car proposes the driver who was last in it', () => {
  expect(proposedDriver(phone)).toBe(ben)
  expect(proposedDriver({ ...phone, ended: undefined })).toBe(ada)
  expect(proposedDriver({ ...phone, ended: [drove(exampleId(3))] })).toBe(ada)
})

test('in another car the phone proposes the driver chosen on it', () => {
  const other = { carId: exampleId(44), driverId: ada }
  expect(proposedDriver({ ...phone, remembered: other })).toBe(ada)
})

test("a driver's own phone proposes that driver, whoever was last in the car", () => {
  const own = drivers.map(each => ({ ...each, userId: each.id === ada ? phone.userId : null }))
  expect(proposedDriver({ ...phone, drivers: own })).toBe(ada)
})

test('a phone on which no driver was chosen proposes none', () => {
  expect(proposedDriver({ ...phone, remembered: { carId, driverId: null } })).toBeNull()
})
