import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { protocol } from '#contract/shared/liveRules.ts'
import { startVisit } from '#support/testing/assistVisit.ts'
import { type TestApp, testApp } from '../app.ts'
import { addPasskey } from '../people/addPasskey.ts'
import { CookieJar, createClient } from '../people/client.ts'
import type { Person } from '../people/person.ts'
import type { FuzzRecord } from './record.ts'

/**
 * The sender of an input. Nobody has no login, the anonymous user no address; a stranger is in no team of the
 * scene. The leaver may sign out, since nothing else needs that login.
 */
export type Who =
  | 'nobody'
  | 'anonymous'
  | 'leaver'
  | 'stranger'
  | 'member'
  | 'driver'
  | 'visitor'
  | 'agent'

type Caller = Pick<Person, 'id' | 'jar' | 'call'>

export type FuzzServer = Awaited<ReturnType<typeof openFuzzServer>>
export type FuzzScene = Awaited<ReturnType<typeof newScene>>

/** Starts the whole server behind a trusted proxy, with a support desk. Logged errors are violations. */
export async function openFuzzServer(record: FuzzRecord) {
  const agents = new Set<string>()
  const app = await testApp(
    {
      // Each request has a different client address: see `address` in http.ts.
      trustProxy: ['127.0.0.1'],
      anonymousAccounts: true,
      support: { external: undefined, iceServers: [], admins: agents },
    },
    new Writable({
      write(line: Buffer, _encoding, done) {
        record.violate('log', 'the server logged an error', line.toString())
        done()
      },
    }),
  )
  return { app, agents, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

/** The latitude of every fix that the watcher sends. */
export const watcherLatitude = 12.5

/** Sends a fix of the foreign team, as data that could leak, and waits until it was handled. */
export async function driveForeign({ watcher }: FuzzScene) {
  watcher.send({ t: 'fix', at: Date.now(), la: watcherLatitude, lo: 5, v: 100, ac: 5, h: 90 })
  await watcher.roundTrip()
}

/** Makes the users of one batch: new ones each time, so that rate limits of earlier batches do not apply. */
export async function newScene({ app, agents }: FuzzServer) {
  await app.forgetLimits()
  // Part of the foreign team's names, never of a response to others. Seven digits would be refused as a phone number.
  const secret = `Secret${randomUUID()
    .slice(0, 8)
    .replace(/\d/g, digit => 'ghijklmnop'.charAt(Number(digit)))}`
  const [stranger, member, driver] = [
    await app.person('Stranger'),
    await app.person('Member'),
    await app.person('Driver'),
  ]
  await app.forgetLimits()
  const [visitor, agent, foreign] = [
    await app.person('Visitor'),
    await app.person('Agent'),
    await app.person('Foreign', secret),
  ]
  await app.forgetLimits()
  const [anonymous, leaver] = [await signInAnonymously(app), await app.person('Leaver')]
  agents.add(agent.email)
  await addPasskey(agent, app.url)
  const own = await startSession(driver, 'Night Owls')
  const other = await startSession(foreign, secret)
  await joinTeam(app, own.teamId, member)
  await foreign.call.messages.set({
    sessionId: other.sessionId,
    type: 'Push',
    commandId: randomUUID(),
  })
  const watcher = (await foreign.connect()).keepAlive()
  await watcher.subscribe(`team:${other.teamId}`)
  await watcher.drive(other.sessionId)
  return {
    people: { anonymous, leaver, stranger, member, driver, visitor, agent },
    /** The driver of the foreign team, to which nobody else belongs. */
    foreign,
    /** A connection that is subscribed to the foreign team and drives its session. */
    watcher,
    secret,
    names: {
      ...own,
      userId: member.id,
      email: member.email,
      foreignTeamId: other.teamId,
      foreignSessionId: other.sessionId,
      foreignUserId: foreign.id,
      foreignEmail: foreign.email,
      visitId: await startVisit(app.url, visitor),
      foreignVisitId: await startVisit(app.url, foreign),
      protocol: String(protocol),
    },
    [Symbol.dispose]() {
      watcher.close()
    },
  }
}

async function signInAnonymously({ url }: TestApp): Promise<Caller> {
  const jar = new CookieJar()
  const call = createClient(url, jar)
  const { user } = await call.auth.signInAnonymously()
  return { id: user.id, jar, call }
}

async function startSession({ call }: Caller, name: string) {
  const { id: teamId } = await call.teams.create({ name })
  const { id: sessionId } = await call.sessions.start({ teamId, name })
  return { teamId, sessionId }
}

/** Inserts the membership directly, without an invitation. */
export async function joinTeam({ database: { db } }: TestApp, teamId: string, { id }: Caller) {
  await db
    .insertInto('team_access')
    .values({ team_id: teamId, user_id: id })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/**
 * Reverts changes of accepted inputs, so that later inputs find a member, a driver and an active session.
 */
export async function repaired({ app }: FuzzServer, scene: FuzzScene): Promise<FuzzScene> {
  const { people, names } = scene
  const { teamId, sessionId } = names
  await app.forgetLimits()
  await joinTeam(app, teamId, people.member)
  await joinTeam(app, teamId, people.driver)
  const session = await app.database.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', people.driver.id)
    .where('team_id', '=', teamId)
    .where('status', '=', 'Active')
    .executeTakeFirst()
  const healthy =
    session ?? (await people.driver.call.sessions.start({ teamId, name: 'Another stint' }))
  return healthy.id === sessionId ? scene : { ...scene, names: { ...names, sessionId: healthy.id } }
}
