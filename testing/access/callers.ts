import { type TestApp, testApp } from '../app.ts'
import { TestConnection } from '../live/testConnection.ts'
import { CookieJar, createClient } from '../people/client.ts'
import { type JoinedPerson, joinByCode } from '../people/joinByCode.ts'
import type { Person } from '../people/person.ts'
import type { Who } from './answers.ts'

/** A server, and a caller of each kind. */
export interface Callers extends AsyncDisposable {
  app: TestApp
  people: Record<Exclude<Who, 'nobody' | 'anonymous' | 'joined'>, Person>
  joined: JoinedPerson
  jarOf(who: Who): CookieJar
  /** Opens a live connection of this caller, after its hello. */
  connect(who: Who): Promise<TestConnection>
}

export async function startCallers(): Promise<Callers> {
  const app = await testApp({ anonymousAccounts: true })
  const people = {
    stranger: await app.person('Stranger'),
    invited: await app.person('Invited'),
    viewer: await app.person('Viewer'),
    member: await app.person('Member'),
    driver: await app.person('Driver'),
    owner: await app.person('Owner'),
  }
  await people.stranger.call.teams.create({ name: 'Another team' })
  const { id: teamId } = await people.owner.call.teams.create({ name: 'Joined by a code' })
  const joined = await joinByCode(app.url, people.owner, teamId, 'Joined')
  const anonymous = new CookieJar()
  await createClient(app.url, anonymous).auth.signInAnonymously()

  function jarOf(who: Who): CookieJar {
    if (who === 'nobody') return new CookieJar()
    if (who === 'joined') return joined.jar
    return who === 'anonymous' ? anonymous : people[who].jar
  }

  return {
    app,
    people,
    joined,
    jarOf,
    connect: who =>
      new TestConnection(app.url, { cookie: jarOf(who).header, origin: app.url }).greet(),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}
