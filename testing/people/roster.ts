import { randomUUID } from 'node:crypto'
import type { SessionId } from '#contract/ids.ts'
import type { Car, RosterDriver } from '#contract/roster.ts'
import type { Person } from './person.ts'

export function newCar(number: string): Omit<Car, 'archived'> {
  const litres = { tankL: 100, reserveL: 3, burnL: 1.87 }
  return { id: randomUUID(), number, name: null, carClass: null, ...litres }
}

export function newDriver(name: string): Omit<RosterDriver, 'archived'> {
  return { id: randomUUID(), name, userId: null }
}

/** A driver change; each `send` repeats the same one. */
export function driverChange(
  { call }: Person,
  sessionId: SessionId,
  driverId: string | null,
  more: { from?: number } = {},
) {
  const stintId = randomUUID()
  const send = () => call.stints.add({ sessionId, stintId, driverId, ...more })
  return { stintId, send }
}
