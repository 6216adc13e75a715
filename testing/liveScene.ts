import type { SessionId } from '#contract/ids.ts'
import type { FixUp, RoomName } from '#contract/live.ts'
import type { Session } from '#contract/sessions.ts'
import type { Team } from '#contract/teams.ts'
import { addMember } from './addMember.ts'
import { type TestApp, testApp } from './app.ts'
import type { Person } from './person.ts'
import type { TestConnection } from './testConnection.ts'

export interface LiveScene extends AsyncDisposable {
  app: TestApp
  /** At the pit wall. */
  ana: Person
  /** In the car. */
  leo: Person
  /** A new team of Ana's with Leo, who drives a session. */
  stint(): Promise<{ team: Team; session: Session }>
  /** Leo's phone in the car. */
  driving(session: SessionId): Promise<TestConnection>
}

/** The whole server with two people who talk by live connections. */
export async function liveScene(): Promise<LiveScene> {
  const app = await testApp()
  const ana = await app.person('Ana')
  const leo = await app.person('Leo')
  return {
    app,
    ana,
    leo,
    async stint() {
      await app.forgetLimits()
      const team = await ana.call.teams.create({ name: 'Night Owls' })
      await addMember(ana, team.id, leo)
      const session = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
      return { team, session }
    },
    async driving(session) {
      const connection = await leo.connect()
      connection.send({ t: 'drive', session })
      await connection.next('snapshot')
      return connection
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

/** A connection of someone who is in this room, and has its snapshot. */
export async function watching(person: Person, room: RoomName) {
  const connection = await person.connect()
  connection.send({ t: 'watch', room })
  await connection.next('snapshot')
  return connection
}

/** A position on the track at Spa, taken now. */
export function fix(values: Partial<FixUp> = {}): FixUp {
  return { t: 'fix', at: Date.now(), la: 50.4372, lo: 5.9714, v: 187, ac: 4, ...values }
}
