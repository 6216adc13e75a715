import type { SessionId } from '#contract/ids.ts'
import type { FixUp, RoomName } from '#contract/live.ts'
import type { PhoneState } from '#contract/phone.ts'
import type { Session } from '#contract/sessions.ts'
import type { Clock } from '#contract/shared/clock.ts'
import type { Team } from '#contract/teams.ts'
import { type TestApp, testApp } from '../app.ts'
import { createTeam } from '../people/createTeam.ts'
import type { Person } from '../people/person.ts'
import { newCar, newDriver } from '../people/roster.ts'
import type { TestConnection } from './testConnection.ts'

export interface LiveScene extends AsyncDisposable {
  app: TestApp
  /** A member of the team. */
  ana: Person
  /** The driver. */
  leo: Person
  /** Creates a team of Ana's with Leo and starts a session of his. */
  newSession(): Promise<{ team: Team; session: Session }>
  /** The same, with a car and the first of two drivers of the team's roster. */
  newSessionWithRoster(): Promise<SessionWithRoster>
  /** Connects Leo's phone and drives this session. */
  drivingConnection(session: SessionId): Promise<TestConnection>
}

export interface SessionWithRoster {
  team: Team
  session: Session
  car: ReturnType<typeof newCar>
  marta: ReturnType<typeof newDriver>
  theo: ReturnType<typeof newDriver>
}

/** Starts the whole server with two users. */
export async function liveScene(clock?: Clock): Promise<LiveScene> {
  const app = await testApp({}, undefined, clock)
  const ana = await app.person('Ana')
  const leo = await app.person('Leo')
  async function newTeam() {
    await app.forgetLimits()
    return createTeam(ana, [leo], 'Night Owls')
  }
  return {
    app,
    ana,
    leo,
    async newSession() {
      const team = await newTeam()
      const session = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
      return { team, session }
    },
    async newSessionWithRoster() {
      const team = await newTeam()
      const teamId = team.id
      const car = newCar('17')
      const [marta, theo] = [newDriver('Marta Lindqvist'), newDriver('Théo Garnier')]
      const { roster } = ana.call
      await roster.saveCar({ teamId, car })
      await roster.saveDriver({ teamId, driver: marta })
      await roster.saveDriver({ teamId, driver: theo })
      const chosen = { carId: car.id, driverId: marta.id }
      const session = await leo.call.sessions.start({ teamId, name: 'Zolder 6 hours', ...chosen })
      return { team, session, car, marta, theo }
    },
    async drivingConnection(session) {
      const connection = await leo.connect()
      return connection.drive(session)
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

/** Opens a connection that is subscribed to this room and has received its snapshot. */
export async function subscribedConnection(person: Person, room: RoomName) {
  const connection = await person.connect()
  await connection.subscribe(room)
  return connection
}

/** The state of a phone that works. */
export const phoneState: PhoneState = {
  drivingSince: 1,
  count: 1,
  presence: 'shown',
  presenceSince: 1,
  gps: 'good',
  gpsSince: 1,
  battery: { percent: 80, charging: false },
}

/** A fix on the track at Spa, taken now. */
export function fix(values: Partial<FixUp> = {}): FixUp {
  return { t: 'fix', at: Date.now(), la: 50.4372, lo: 5.9714, v: 187, ac: 4, ...values }
}
