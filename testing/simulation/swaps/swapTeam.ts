import { noRules } from '#contract/shared/raceRules.ts'
import type { Person } from '../people.ts'
import { type ServerAccess, storeMember } from '../race/raceTeam.ts'
import { people } from './swapDay.ts'
import { driverNameOf, fuel, raceLengthMs } from './swapRace.ts'

/** The team of a car with three phones. */
export interface SwapTeam {
  readonly teamId: string
  readonly raceId: string
  readonly carId: string
  /** The member at the pit wall. */
  readonly owner: Person
  /** Members with a phone, and the drivers of the roster that they are. */
  readonly members: readonly Person[]
  readonly driverIds: readonly string[]
}

/** Makes a team with two cars, three drivers who are members, and a race that has not started. */
export async function createSwapTeam(server: ServerAccess): Promise<SwapTeam> {
  const { random, call } = server
  const teamId = random.uuid()
  const raceId = random.uuid()
  await server.run(`insert into teams (id, name) values ($1, 'Night Owls')`, [teamId])
  const owner = await storeMember(server, teamId, people.length)
  const members: Person[] = []
  const driverIds: string[] = []
  for (const person of people) {
    const member = await storeMember(server, teamId, person)
    const id = random.uuid()
    const driver = { id, name: driverNameOf(person), userId: member.id }
    await call(owner, 'roster.saveDriver', { teamId, driver })
    members.push(member)
    driverIds.push(id)
  }
  const length = { in: 'time', ms: raceLengthMs }
  const race = { id: raceId, name: 'Race', length, rules: noRules, carIds: [] }
  await call(owner, 'races.save', { teamId, race })
  const carId = random.uuid()
  const car = { id: carId, number: '7', name: null, carClass: null, reserveL: null }
  const { tankL, burnL } = fuel
  await call(owner, 'roster.saveCar', { teamId, car: { ...car, tankL, burnL } })
  return { teamId, raceId, carId, owner, members, driverIds }
}
