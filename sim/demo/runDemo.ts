import type { Roster } from '#contract/roster.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import type { Team } from '#contract/teams.ts'
import { call } from '../api.ts'
import { isLoopback } from '../signIn.ts'
import { type Crew, startCrew } from './crew.ts'
import { join, type Member, member, teamOf } from './people.ts'
import { demoCars, raceMs, raceName } from './race.ts'

export interface DemoOptions {
  /** A server on this machine that keeps its mails: `http://localhost:3000`. */
  readonly url: string
  /** `DEV_TOKEN` of the server. */
  readonly devToken: string
  /** Prints one block of text for the person at the terminal. */
  readonly print: (text: string) => void
}

export interface Demo {
  /** The pit wall with all cars, as Ana. Opening a link signs in as its person. */
  readonly wallLink: string
  /** Ana's message screen for the first car. */
  readonly pitLink: string
  /** Mia's drive screen, for a second window or a phone. It takes over from the simulated one. */
  readonly driverLink: string
  /** Resolves when the demo was stopped, or its sessions ended. */
  readonly ended: Promise<void>
  stop(): Promise<void>
}

const ana = { firstName: 'Ana', lastName: 'Winter' }
const strategist = { firstName: 'Sam', lastName: 'Okafor' }

/**
 * Creates a team through the public API with three cars in a race, drives them, and prints links to open. Running it
 * again reuses the people, the team and its roster, with a new race. Throws an Error for a server that is not on this
 * machine: anyone could sign in as these people.
 */
export async function runDemo({ url, devToken, print }: DemoOptions): Promise<Demo> {
  if (!isLoopback(url)) throw new Error(`The demo only runs on this machine, not on ${url}.`)
  const signingIn = { url, devToken }
  const pit = await member(signingIn, ana)
  const sam = await member(signingIn, strategist)
  const holders: (readonly Member[])[] = []
  for (const { drivers, ...car } of demoCars) {
    const withPhone = drivers.slice(0, 'twoPhones' in car ? 2 : 1)
    holders.push(await Promise.all(withPhone.map(driver => member(signingIn, driver))))
  }
  const team = await teamOf(pit)
  for (const each of [sam, ...holders.flat()]) await join(pit, team, each)

  await endSessions(team, holders.flat())
  const roster = await saveRoster(pit, team, holders)
  const raceId = await saveRace(pit, team)
  const crews: Crew[] = []
  for (const [index, car] of demoCars.entries()) {
    const [holder, second] = holders[index] ?? []
    if (holder)
      crews.push(await startCrew({ car, index, holder, second, team, roster, sam, print }))
  }
  await call(pit.server, 'races.start', { raceId })
  await call(pit.server, 'auth.signOut', {})

  const [first, second] = crews
  const screen = (crew: Crew | undefined, name: string) =>
    `/teams/${team.id}/${crew?.sessionId ?? ''}/${name}`
  const links = {
    wallLink: signInLink(signingIn, pit.email, `/teams/${team.id}/wall`),
    pitLink: signInLink(signingIn, pit.email, screen(first, 'message')),
    driverLink: signInLink(signingIn, holders[1]?.[0]?.email ?? '', screen(second, 'drive')),
  }
  print(instructions(links))
  return {
    ...links,
    ended: Promise.all(crews.map(({ ended }) => ended)).then(() => undefined),
    stop: async () => {
      await Promise.all(crews.map(crew => crew.stop()))
    },
  }
}

async function endSessions(team: Team, holders: readonly Member[]) {
  for (const { server, user } of holders) {
    const active = await call(server, 'sessions.listActive', { teamId: team.id })
    for (const { id, driver } of active)
      if (driver.id === user.id) await call(server, 'sessions.end', { sessionId: id })
  }
}

/** The link that signs in a person of the demo and opens one screen. */
function signInLink(
  { url, devToken: token }: Pick<DemoOptions, 'url' | 'devToken'>,
  email: string,
  to: string,
): string {
  return `${url}/dev/sign-in?${new URLSearchParams({ email, to, token })}`
}

function instructions(links: Pick<Demo, 'wallLink' | 'pitLink' | 'driverLink'>): string {
  return [
    'The demo is running: three cars race at Zolder. The first lap takes two minutes.',
    '',
    '  The pit wall, as Ana',
    `  ${links.wallLink}`,
    '',
    '  Messages to car 7, as Ana',
    `  ${links.pitLink}`,
    '',
    '  In car 12, as Mia: open it in a private window, which keeps the two apart',
    `  ${links.driverLink}`,
    '',
    'The simulated drivers acknowledge messages and answer questions. In car 12 you do, while its screen is open.',
    'The drivers of car 21 have a phone each: the other one takes over at each stop, the first after eight minutes.',
  ].join('\n')
}

/** Adds the demo's cars and drivers to the team's roster, unless an earlier demo did. */
async function saveRoster(
  { server }: Member,
  { id: teamId }: Team,
  holders: readonly (readonly Member[])[],
): Promise<Roster> {
  let roster = await call(server, 'roster.get', { teamId })
  for (const [index, { number, name, tankL, burnL, drivers }] of demoCars.entries()) {
    if (!roster.cars.some(car => car.number === number && !car.archived)) {
      const car = { id: crypto.randomUUID(), number, name, carClass: null }
      roster = await call(server, 'roster.saveCar', {
        teamId,
        car: { ...car, tankL, reserveL: 4, burnL },
      })
    }
    for (const [place, { firstName, lastName }] of drivers.entries()) {
      const fullName = `${firstName} ${lastName}`
      if (roster.drivers.some(driver => driver.name === fullName && !driver.archived)) continue
      const userId = holders[index]?.[place]?.user.id ?? null
      const driver = { id: crypto.randomUUID(), name: fullName, userId }
      roster = await call(server, 'roster.saveDriver', { teamId, driver })
    }
  }
  return roster
}

/** Ends the race of an earlier demo, and saves one that the cars' sessions join. */
async function saveRace({ server }: Member, { id: teamId }: Team): Promise<string> {
  const races = await call(server, 'races.list', { teamId })
  for (const { id, endedAt } of races)
    if (endedAt === null) await call(server, 'races.end', { raceId: id })
  const { id: raceId } = await call(server, 'races.save', {
    teamId,
    race: {
      id: crypto.randomUUID(),
      name: raceName,
      length: { in: 'time', ms: raceMs },
      rules: { ...noRules, name: raceName, maxStintMs: 40 * 60_000 },
      carIds: [],
    },
  })
  return raceId
}
