import { createHash } from 'node:crypto'
import { minuteMs } from '#contract/shared/durations.ts'
import { minLimitMs, noRules, type RaceRules } from '#contract/shared/raceRules.ts'
import { type Person, storeUser } from '../people.ts'
import type { Random } from '../random.ts'

/** A car of the race, whose phone belongs to one member. */
export interface RaceCar {
  readonly number: string
  readonly holder: Person
  readonly sessionId: string
}

/** A team with a roster and a race that has not started. */
export interface Team {
  readonly teamId: string
  readonly raceId: string
  /** The member at the pit wall. */
  readonly owner: Person
  /** The others, with a phone each. */
  readonly members: readonly Person[]
  /** The roster, in its order. */
  readonly driverIds: readonly string[]
}

export interface RaceTeam extends Team {
  readonly cars: readonly RaceCar[]
}

/** Access to the server: SQL creates the accounts, which would need mails otherwise, and API calls the rest. */
export interface ServerAccess {
  readonly random: Random
  readonly nowMs: number
  run(sql: string, parameters: unknown[]): Promise<unknown>
  /** Rejects if the call is refused or gets no response. */
  call(by: Person, url: string, body: object): Promise<unknown>
}

const memberCount = 3
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
  const race = { length: { in: 'time', ms: raceMs }, rules: rulesOf(raceMs) }
  const team = await createTeamWithRace(server, race, Array<null>(driverCount).fill(null))
  const { teamId, members, driverIds } = team
  const cars: RaceCar[] = []
  for (const [index, holder] of members.entries()) {
    const number = `${index + 1}`
    const carId = await addCar(server, team, { number, tankL: null, burnL: null })
    const body = { teamId, name: `Car ${number}`, carId, driverId: driverIds[index] }
    const session = await server.call(holder, 'sessions.start', body)
    cars.push({ number, holder, sessionId: (session as { id: string }).id })
  }
  return { ...team, cars }
}

/**
 * Makes a team of four with a race. `drivers` has, for each driver of the roster, the index of the member who is that
 * driver, or null.
 */
export async function createTeamWithRace(
  server: ServerAccess,
  race: { readonly length: object; readonly rules: RaceRules },
  drivers: readonly (number | null)[],
): Promise<Team> {
  const { random, call } = server
  const teamId = random.uuid()
  const raceId = random.uuid()
  await server.run(`insert into teams (id, name) values ($1, 'Night Owls')`, [teamId])
  const [owner, ...members] = await Promise.all(
    Array.from({ length: memberCount + 1 }, (_, index) => storeMember(server, teamId, index)),
  )
  if (!owner) throw new Error('The team has no owner.')
  const driverIds = drivers.map(() => random.uuid())
  for (const [index, id] of driverIds.entries()) {
    const userId = members[drivers[index] ?? -1]?.id ?? null
    const driver = { id, name: `Driver ${index + 1}`, userId }
    await call(owner, 'roster.saveDriver', { teamId, driver })
  }
  const saved = { id: raceId, name: 'Simulated race', carIds: [], ...race }
  await call(owner, 'races.save', { teamId, race: saved })
  return { teamId, raceId, owner, members, driverIds }
}

/** Adds a car to the roster. Returns its id. */
export async function addCar(
  { random, call }: ServerAccess,
  { teamId, owner }: Team,
  values: { number: string; tankL: number | null; burnL: number | null },
): Promise<string> {
  const id = random.uuid()
  const car = { id, name: null, carClass: null, reserveL: null, ...values }
  await call(owner, 'roster.saveCar', { teamId, car })
  return id
}

/** Stores a user who is a member of a team, with a login. */
async function storeMember(
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
