import { spaFrancorchamps } from '#contract/circuits/spa-francorchamps.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Session } from '#contract/sessions.ts'
import type { Team } from '#contract/teams.ts'
import type { Me } from '#contract/users.ts'
import { driveAround } from '#testing/drives.ts'
import { call, type Server } from './api.ts'
import { type Car, startCar } from './car.ts'
import { isLoopback, signIn } from './signIn.ts'

export interface DemoOptions {
  /** A server on this machine that keeps its mails: `http://localhost:3000`. */
  readonly url: string
  /** Prints one block of text for the person at the terminal. */
  readonly print: (text: string) => void
}

export interface Demo {
  /** Drives laps until it is stopped. */
  readonly car: Car
  /** Ana's message screen for Leo, whose car is simulated. Opening it signs in as her. */
  readonly pitLink: string
  /** Mia's drive screen, for a second window or a phone. */
  readonly driverLink: string
}

const teamName = 'Night Owls'

const demoUsers = {
  pit: { firstName: 'Ana', lastName: 'Winter', email: 'ana@pitboard.example' },
  simulated: { firstName: 'Leo', lastName: 'Sommer', email: 'leo@pitboard.example' },
  driver: { firstName: 'Mia', lastName: 'Herbst', email: 'mia@pitboard.example' },
}

/**
 * Creates a team through the public API, starts a simulated car on Spa, and prints two links to open. The
 * simulated car and the screen to try have separate sessions: in the same one, the screen opened last would
 * take over. Running it again reuses the people and the team, with new sessions. Throws an Error for a
 * server that is not on this machine: anyone could sign in as these people.
 */
export async function runDemo({ url, print }: DemoOptions): Promise<Demo> {
  if (!isLoopback(url)) throw new Error(`The demo only runs on this machine, not on ${url}.`)
  const pit = await member(url, demoUsers.pit)
  const simulated = await member(url, demoUsers.simulated)
  const driver = await member(url, demoUsers.driver)

  const team = await teamOf(pit.server)
  await join(pit, team, simulated, demoUsers.simulated)
  await join(pit, team, driver, demoUsers.driver)
  const simulatedSession = await newSession(simulated, team, 'Spa, car 7')
  const driverSession = await newSession(driver, team, 'Car 12')
  for (const { server } of [pit, driver]) await call(server, 'auth.signOut', {})

  const car = startCar({
    url,
    token: simulated.server.token,
    userId: simulated.user.id,
    sessionId: simulatedSession.id,
    drive: driveAround(spaFrancorchamps, { noiseM: 1.5, laps: 5 }),
    onProblem: print,
  })
  const pitLink = signInLink(
    url,
    demoUsers.pit.email,
    `/teams/${team.id}/${simulatedSession.id}/message`,
  )
  const driverLink = signInLink(
    url,
    demoUsers.driver.email,
    `/teams/${team.id}/${driverSession.id}/drive`,
  )
  print(instructions(pitLink, driverLink))

  return { car, pitLink, driverLink }
}

/** The link that signs in a person of the demo and opens one screen. */
function signInLink(url: string, email: string, to: string): string {
  return `${url}/dev/sign-in?${new URLSearchParams({ email, to })}`
}

function instructions(pitLink: string, driverLink: string): string {
  return [
    'The demo is running: Leo laps Spa in a simulated car.',
    '',
    '  At the pit wall, as Ana',
    `  ${pitLink}`,
    '',
    '  In the car, as Mia: open it in a private window, which keeps the two apart',
    `  ${driverLink}`,
    '',
    'Messages to Leo are acknowledged by the simulated car; those to Mia by whoever taps her screen.',
  ].join('\n')
}

interface Member {
  readonly server: Required<Server>
  readonly user: Me
}

async function member(url: string, person: (typeof demoUsers)['pit']): Promise<Member> {
  const { token, user } = await signIn({
    url,
    ...person,
    askForCode: () => {
      throw new Error(`The demo needs a server that keeps its mails at ${url}/dev/mailbox.`)
    },
  })
  return { server: { url, token }, user }
}

async function teamOf(server: Server): Promise<Team> {
  const teams = await call(server, 'teams.list', {})
  const existing = teams.find(({ name }) => name === teamName)
  return existing ?? (await call(server, 'teams.create', { name: teamName }))
}

async function join(
  inviter: Member,
  team: Team,
  { server }: Member,
  { firstName, lastName, email }: (typeof demoUsers)['pit'],
) {
  await unlessAlready('already-a-member', async () => {
    const who = { firstName, lastName, email }
    const { id } = await call(inviter.server, 'teams.invite', { teamId: team.id, ...who })
    await call(server, 'teams.accept', { invitationId: id })
  })
}

async function newSession({ server, user }: Member, team: Team, name: string): Promise<Session> {
  const active = await call(server, 'sessions.listActive', { teamId: team.id })
  for (const { id, driver } of active) {
    if (driver.id === user.id) await call(server, 'sessions.end', { sessionId: id })
  }
  return call(server, 'sessions.start', { teamId: team.id, name })
}

async function unlessAlready(code: Refusal['code'], act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof Refusal && error.code === code)) throw error
  }
}
