import type { SessionId } from '#contract/ids.ts'
import type { FixUp, Room } from '#contract/live.ts'
import type { Session } from '#contract/sessions.ts'
import type { Team } from '#contract/teams.ts'
import { addMember } from './addMember.ts'
import { type TestApp, testApp } from './app.ts'
import type { TestLine } from './line.ts'
import type { Person } from './person.ts'

export interface LiveScene extends AsyncDisposable {
  app: TestApp
  /** At the pit wall. */
  ana: Person
  /** In the car. */
  leo: Person
  /** A new team of Ana's with Leo, who drives a session. */
  stint(): Promise<{ team: Team; session: Session }>
  /** Leo's phone in the car. */
  driving(session: SessionId): Promise<TestLine>
}

/** The whole server with two people who talk by live lines. */
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
      const line = await leo.line()
      line.send({ t: 'drive', session })
      await line.next('snapshot')
      return line
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

/** A line of someone who is in this room, and has its snapshot. */
export async function watching(person: Person, room: Room) {
  const line = await person.line()
  line.send({ t: 'watch', room })
  await line.next('snapshot')
  return line
}

/** A position on the track at Spa, taken now. */
export function fix(values: Partial<FixUp> = {}): FixUp {
  return { t: 'fix', at: Date.now(), la: 50.4372, lo: 5.9714, v: 187, ac: 4, ...values }
}
