import { testApp } from '../app.ts'
import { TestConnection } from '../live/testConnection.ts'
import { CookieJar, createClient } from '../people/client.ts'
import { joinByCode } from '../people/joinByCode.ts'
import type { Who } from './answers.ts'

export type Callers = Awaited<ReturnType<typeof startCallers>>

/** Starts a server, with a caller of each kind. */
export async function startCallers() {
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
    /** Opens a live connection of this caller, after its hello. */
    connect: (who: Who) =>
      new TestConnection(app.url, { cookie: jarOf(who).header, origin: app.url }).greet(),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}
