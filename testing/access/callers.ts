import { type TestApp, testApp } from '../app.ts'
import { TestConnection } from '../live/testConnection.ts'
import { CookieJar, createClient } from '../people/client.ts'
import type { Person } from '../people/person.ts'
import type { Who } from './answers.ts'

/** A server, and a caller of each kind. */
export interface Callers extends AsyncDisposable {
  app: TestApp
  people: Record<Exclude<Who, 'nobody' | 'anonymous'>, Person>
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
  const anonymous = new CookieJar()
  await createClient(app.url, anonymous).auth.signInAnonymously()

  function jarOf(who: Who): CookieJar {
    if (who === 'nobody') return new CookieJar()
    return who === 'anonymous' ? anonymous : people[who].jar
  }

  return {
    app,
    people,
    jarOf,
    connect: who =>
      new TestConnection(app.url, { cookie: jarOf(who).header, origin: app.url }).greet(),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}
