import { createHash } from 'node:crypto'
import { minuteMs } from '#contract/shared/durations.ts'
import { minLimitMs, noRules, type RaceRules } from '#contract/shared/raceRules.ts'
import type { Call } from '../node.ts'
import { type Person, storeUser } from '../people.ts'
import type { Random } from '../random.ts'

/** A car of the race, whose phone belongs to one member. */
export interface RaceCar {
  readonly number: string
  readonly holder: Person
  readonly sessionId: string
}

export interface RaceTeam {
  readonly teamId: string
  readonly raceId: string
  /** The member at the pit wall. */
  readonly owner: Person
  readonly cars: readonly RaceCar[]
  /** The roster, in its order. */
  readonly driverIds: readonly string[]
}

/** Access to the server: SQL creates the accounts, which would need mails otherwise, and API calls the rest. */
export interface ServerAccess {
  readonly random: Random
  readonly nowMs: number
  run(sql: string, parameters: unknown[]): Promise<unknown>
  /** Rejects if the call is refused or gets no response. */
  call(by: Person, url: string, body: object): Promise<unknown>
}

const carCount = 3
const driverCount = 9

/** Stint and driver limits that are reached in the race, and a minimum stop from pit-in to pit-out. */
export function rulesOf(raceMs: number): RaceRules {
  return {
    ...noRules,
    name: 'Simulated series',
    maxStintMs: Math.max(minLimitMs, Math.round(raceMs / 20)),
    maxDriverMs: Math.round(raceMs / 6),
    minStop: { ms: 2 * minuteMs, counts: 'lane', onlyWithFuel: false },
  }
}

/** Makes a team with three cars, nine drivers, a race, and a session of each car. */
export async function createRaceTeam(server: ServerAccess, raceMs: number): Promise<RaceTeam> {
  const { random, call } = server
  const teamId = random.uuid()
  const raceId = random.uuid()
  await server.run(`insert into teams (id, name) values ($1, 'Night Owls')`, [teamId])
  const [owner, ...holders] = await Promise.all(
    Array.from({ length: carCount + 1 }, (_, index) => storeMember(server, teamId, index)),
  )
  if (!owner) throw new Error('The team has no owner.')
  const driverIds = Array.from({ length: driverCount }, () => random.uuid())
  for (const [index, id] of driverIds.entries())
    await call(owner, 'roster.saveDriver', {
      teamId,
      driver: { id, name: `Driver ${index + 1}`, userId: null },
    })
  const length = { in: 'time', ms: raceMs }
  const race = { id: raceId, name: 'Simulated race', length, rules: rulesOf(raceMs), carIds: [] }
  await call(owner, 'races.save', { teamId, race })
  const cars: RaceCar[] = []
  for (const [index, holder] of holders.entries()) {
    const carId = random.uuid()
    const number = `${index + 1}`
    const empty = { name: null, carClass: null, tankL: null, reserveL: null, burnL: null }
    await call(owner, 'roster.saveCar', { teamId, car: { id: carId, number, ...empty } })
    const session = await call(holder, 'sessions.start', {
      teamId,
      name: `Car ${number}`,
      carId,
      driverId: driverIds[index],
    })
    cars.push({ number, holder, sessionId: (session as { id: string }).id })
  }
  return { teamId, raceId, owner, cars, driverIds }
}

/** Stores a user who is a member of a team, with a login. */
export async function storeMember(
  { random, nowMs, run }: ServerAccess,
  teamId: string,
  index: number,
): Promise<Person> {
  const id = random.uuid()
  const token = createHash('sha256').update(id).digest('base64url')
  await storeUser({ run }, { id, token, name: `Member ${index}` }, nowMs)
  await run('insert into team_access (user_id, team_id) values ($1, $2)', [id, teamId])
  return { id, token }
}

/** Builds a command for the simulated servers. */
export function commandOf(path: string, token: string, body: object): Call {
  return { method: 'POST', url: `/api/${path}`, token, body }
}
