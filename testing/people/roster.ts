import { randomUUID } from 'node:crypto'
import type { SessionId, TeamId } from '#contract/ids.ts'
import type { Car, RosterDriver } from '#contract/roster.ts'
import type { Person } from './person.ts'

type Member = Pick<Person, 'call'>

export function newCar(number: string, values: Partial<Car> = {}): Omit<Car, 'archived'> {
  const litres = { tankL: 100, reserveL: 3, burnL: 1.87 }
  return { id: randomUUID(), number, name: null, carClass: null, ...litres, ...values }
}

export function newDriver(name: string): Omit<RosterDriver, 'archived'> {
  return { id: randomUUID(), name, userId: null }
}

/** Adds a car to the roster of a team. */
export async function addCar(
  { call }: Member,
  teamId: TeamId,
  number: string,
  values?: Partial<Car>,
) {
  const car = newCar(number, values)
  await call.roster.saveCar({ teamId, car })
  return car
}

/** Adds a driver to the roster of a team. */
export async function addDriver({ call }: Member, teamId: TeamId, name: string) {
  const driver = newDriver(name)
  await call.roster.saveDriver({ teamId, driver })
  return driver
}

/** Starts a session of a member in the car with this number, which is added to the roster if it is not in it. */
export async function startInCar(
  member: Member,
  teamId: TeamId,
  { number = '17', name = 'Six hours' } = {},
) {
  const { cars } = await member.call.roster.get({ teamId })
  const known = cars.find(each => each.number === number)
  const { id: carId } = known ?? (await addCar(member, teamId, number))
  const session = await member.call.sessions.start({ teamId, name, carId })
  return { ...session, carId }
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
