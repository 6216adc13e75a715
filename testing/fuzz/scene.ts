import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { protocol } from '#contract/liveRules.ts'
import { startVisit } from '#support/testing/assistVisit.ts'
import { type TestApp, testApp } from '../app.ts'
import { CookieJar, createClient } from '../client.ts'
import type { Person } from '../person.ts'
import type { FuzzRecord } from './record.ts'
import type { Names } from './tokens.ts'
import { openWatcher, type Watcher } from './watcher.ts'

/**
 * Who sends an input. Nobody has no login, the anonymous one no address; a stranger is in no team of the scene. The
 * leaver is who may sign out: nothing else needs that login.
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

export interface FuzzServer extends AsyncDisposable {
  app: TestApp
  /** E-mail addresses of those who may act as support agents. */
  agents: Set<string>
}

/** One batch's people: new ones each time, so that no limit of an earlier batch counts. */
export interface Cast extends Disposable {
  people: Record<Exclude<Who, 'nobody'>, Caller>
  /** What tokens stand for. */
  names: Names
  /** The driver of a team that no one else of the scene belongs to. */
  foreign: Person
  /** Watches the foreign team and drives its session. */
  watcher: Watcher
  /** A word in names of the foreign team that no answer to anyone else may contain. */
  secret: string
}

/** The whole server behind a trusted proxy, with a support desk; errors that it logs are violations. */
export async function openFuzzServer(record: FuzzRecord): Promise<FuzzServer> {
  const agents = new Set<string>()
  const app = await testApp(
    {
      // Each request comes from an address of its own: see `address` in http.ts.
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

export async function newCast({ app, agents }: FuzzServer): Promise<Cast> {
  await app.forgetLimits()
  const secret = `Secret${randomUUID().slice(0, 8)}`
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
  const own = await startSession(driver, 'Night Owls')
  const other = await startSession(foreign, secret)
  await joinTeam(app, own.teamId, member)
  await foreign.call.messages.set({
    sessionId: other.sessionId,
    type: 'Push',
    commandId: randomUUID(),
  })
  const watcher = await openWatcher(app.url, foreign, other)
  return {
    people: { anonymous, leaver, stranger, member, driver, visitor, agent },
    foreign,
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

/** Straight into the table: invitations are not what is tried here. */
export async function joinTeam({ database: { db } }: TestApp, teamId: string, { id }: Caller) {
  await db
    .insertInto('team_access')
    .values({ team_id: teamId, user_id: id })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/**
 * Undoes what accepted inputs did to the scene, so that the ones that follow still meet a member, a driver and
 * a session that is on.
 */
export async function healed({ app }: FuzzServer, cast: Cast): Promise<Cast> {
  const { people, names } = cast
  const { teamId = '', sessionId } = names
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
  return healthy.id === sessionId ? cast : { ...cast, names: { ...names, sessionId: healthy.id } }
}
