import { randomUUID } from 'node:crypto'
import type { SessionId } from '#contract/ids.ts'
import type { Car, RosterDriver } from '#contract/roster.ts'
import type { Person } from '../people/person.ts'
import type { LiveScene } from './liveScene.ts'

export function newCar(number: string): Omit<Car, 'archived'> {
  const litres = { tankL: 100, reserveL: 3, burnL: 1.87 }
  return { id: randomUUID(), number, name: null, carClass: null, ...litres }
}

export function newDriver(name: string): Omit<RosterDriver, 'archived'> {
  return { id: randomUUID(), name, userId: null }
}

/** Starts a session of Leo's with a car and the first of two drivers of its team's roster. */
export async function startWithRoster({ ana, leo, newSession }: LiveScene) {
  const { team, session: withoutCar } = await newSession()
  await leo.call.sessions.end({ sessionId: withoutCar.id })
  const teamId = team.id
  const car = newCar('17')
  const [marta, theo] = [newDriver('Marta Lindqvist'), newDriver('Théo Garnier')]
  const { roster } = ana.call
  await roster.saveCar({ teamId, car })
  await roster.saveDriver({ teamId, driver: marta })
  await roster.saveDriver({ teamId, driver: theo })
  const session = await leo.call.sessions.start({
    teamId,
    name: 'Zolder 6 hours',
    carId: car.id,
    driverId: marta.id,
  })
  return { team, session, car, marta, theo }
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
