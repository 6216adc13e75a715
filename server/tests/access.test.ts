import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { api } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { RefusalBody, type RefusalCode } from '#contract/refusal.ts'
import {
  type Answers,
  byCaller,
  forDriver,
  forEditors,
  forReaders,
  forSignedIn,
  type Rows,
} from '#testing/access/answers.ts'
import { type Callers, startCallers } from '#testing/access/callers.ts'
import { circuitRows } from '#testing/access/rows/circuits.ts'
import { peopleRows } from '#testing/access/rows/people.ts'
import { raceRows } from '#testing/access/rows/races.ts'
import { sessionRows } from '#testing/access/rows/sessions.ts'
import { supportRows } from '#testing/access/rows/support.ts'
import { teamRows } from '#testing/access/rows/teams.ts'
import type { Scene } from '#testing/access/sceneInputs.ts'
import { Scenes } from '#testing/access/scenes.ts'
import { fileClient, formOf } from '#testing/files/files.ts'
import { importRecording } from '#testing/files/recordings.ts'
import { TestConnection } from '#testing/live/testConnection.ts'
import { CookieJar, createClient } from '#testing/people/client.ts'

// Access rules: every endpoint and every live subscription, called by each kind of caller, from
// signed out to team owner.

/** The table of access: each call's answer to each kind of caller. */
const calls: Rows = {
  ...peopleRows,
  ...teamRows,
  ...sessionRows,
  ...raceRows,
  ...circuitRows,
  ...supportRows,
}

interface Caller {
  url: string
  jar: CookieJar
}

/** Files of a session's positions and laps. */
const exportedFiles = ['positions.csv', 'racechrono.csv', 'track.gpx', 'track.vbo', 'laps.csv']

/** Routes with content other than JSON, which the contract's table does not contain. */
const plainRoutes: Record<
  string,
  { call: (scene: Scene, caller: Caller) => Promise<Response>; answers: Answers }
> = {
  'reporting contact': { call: reportContact, answers: forDriver },
  'the log as CSV': {
    call: ({ sessionId }, caller) => get(caller, `sessions/${sessionId}/messages.csv`),
    answers: forReaders,
  },
  'a circuit as a file': {
    call: ({ teamId }, caller) => get(caller, `teams/${teamId}/circuits/zolder/gpx`),
    answers: forReaders,
  },
  ...Object.fromEntries(
    exportedFiles.map(name => [
      name,
      {
        call: ({ sessionId }: Scene, caller: Caller) =>
          get(caller, `sessions/${sessionId}/${name}`),
        answers: forReaders,
      },
    ]),
  ),
  'importing a recording': {
    call: ({ teamId }, { url, jar }) =>
      importRecording(url, jar, {
        teamId,
        name: 'Old race',
        file: 'utc_s,latitude_deg,longitude_deg\n1700000000,50,5\n1700000001,50,5.1\n',
      }),
    answers: forEditors,
  },
  'the export of an account': {
    call: (_scene, caller) => get(caller, 'export.zip'),
    answers: forSignedIn,
  },
  'files.upload': {
    call: ({ teamId }, { url, jar }) =>
      fileClient(url, jar).send(
        formOf({ teamId, name: 'setup.txt', file: Buffer.from('Camber -2.5') }),
      ),
    answers: forEditors,
  },
  'files.get': {
    call: ({ teamId }, { url, jar }) => fileClient(url, jar).get({ teamId, name: 'nothing.txt' }),
    answers: { ...forReaders, member: 'not-found', driver: 'not-found' },
  },
}

function get({ url, jar }: Caller, path: string): Promise<Response> {
  return fetch(`${url}/api/v1/${path}`, { headers: { cookie: jar.header } })
}

/** Reports 120 km/h at Spa, as a device without a live connection does. */
async function reportContact(
  { sessionId }: Pick<Scene, 'sessionId'>,
  { url, jar }: Caller,
): Promise<Response> {
  jar.store(await fetch(`${url}/api/auth.login`, { headers: { cookie: jar.header } }))
  return fetch(`${url}/api/v1/sessions/${sessionId}/contact`, {
    method: 'POST',
    headers: {
      cookie: jar.header,
      'x-xsrf-token': jar.get('XSRF-TOKEN') ?? '',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ latitude: 50.4, longitude: 5.9, speedKmh: 120, accuracyM: 4 }),
  })
}

let callers: Callers
let scenes: Scenes

beforeAll(async () => {
  callers = await startCallers()
  scenes = new Scenes(callers)
})
afterAll(() => callers[Symbol.asyncDispose]())

/** These end or replace the caller's own login, so they have separate tests below. */
const ownLogin = ['auth.signOut', 'auth.signInAnonymously']

test('the access table covers every endpoint', () => {
  const names = Object.entries(api).flatMap(([topic, endpoints]) =>
    Object.keys(endpoints).map(name => `${topic}.${name}`),
  )
  expect([...Object.keys(calls), ...ownLogin].sort()).toEqual(names.sort())
})

test('the tables cover every HTTP route', async () => {
  const { paths } = (await (await fetch(`${callers.app.url}/api/openapi.json`)).json()) as {
    paths: Record<string, unknown>
  }
  const plain = ['files.get', 'files.upload', 'v1/sessions/{sessionId}/contact']
  plain.push('v1/teams/{teamId}/recordings')
  const known = [...Object.keys(calls), ...ownLogin, ...plain]
  known.push('v1/sessions/{sessionId}/messages.csv', 'v1/export.zip')
  known.push('v1/teams/{teamId}/circuits/{circuitId}/{format}')
  known.push(...exportedFiles.map(name => `v1/sessions/{sessionId}/${name}`))
  expect(Object.keys(paths).sort()).toEqual(known.map(name => `/api/${name}`).sort())
})

const endpoints: Record<string, Record<string, Endpoint>> = api

const rows = Object.entries(calls).flatMap(([name, row]) => {
  const { input = {}, answers } = 'answers' in row ? row : { answers: row }
  return byCaller(answers).map(each => ({ name, input, ...each }))
})

/** Returns the ids of the scene that a call needs. */
function idsFor(endpoint: Endpoint | undefined, scene: Scene) {
  const fields = endpoint?.input instanceof z.ZodObject ? endpoint.input.shape : {}
  return Object.fromEntries(
    Object.entries(scene).filter(([name]) => name in fields && !fields[name].isOptional()),
  )
}

// spec: RO-1 RO-2 RO-3 RO-4 RO-5 CA-2 CA-3 CA-5 CA-6 CA-7 CA-10 CA-11 CA-12 CA-15 CA-16 CA-18
test.each(rows)('$name as $who: $answer', async ({ name, who, answer, input }) => {
  const [topic, call] = name.split('.') as ['teams', 'get']
  const client = createClient(callers.app.url, callers.jarOf(who))
  const scene = await scenes.next()
  const before = await scenes.stateBefore(scene)

  const endpoint = endpoints[topic]?.[call]
  const more = typeof input === 'function' ? input(scene) : input
  const got = await client[topic][call]({ ...idsFor(endpoint, scene), ...more } as never).then(
    () => 'ok' as const,
    (error: { code?: unknown }) => error.code,
  )

  expect(got).toBe(answer)
  if (answer === 'ok' && endpoint?.kind === 'command') return
  expect(await scenes.keepUnchanged(scene, before)).toBe(true)
})

test.each(
  Object.entries(plainRoutes).flatMap(([name, { call, answers }]) =>
    byCaller(answers).map(each => ({ name, call, ...each })),
  ),
)('$name as $who: $answer', async ({ call, who, answer }) => {
  const scene = await scenes.next()
  const before = await scenes.stateBefore(scene)
  const response = await call(scene, { url: callers.app.url, jar: callers.jarOf(who) })
  const got = response.ok ? 'ok' : RefusalBody.parse(await response.json()).code
  expect(got).toBe(answer)
  if (answer === 'ok') return
  expect(await scenes.keepUnchanged(scene, before)).toBe(true)
})

test('the driver reports contact by HTTP', async () => {
  const { sessionId } = await scenes.next()
  const { jar, call } = callers.people.driver

  const response = await reportContact({ sessionId }, { url: callers.app.url, jar })

  const session = await call.sessions.get({ sessionId })
  expect(session).toMatchObject({ speedKmh: 120, latitude: 50.4, longitude: 5.9 })
  expect(await response.json()).toEqual({ lastDriverContactAt: session.lastDriverContactAt })
})

test('signing out needs a login and ends it', async () => {
  const nobody = createClient(callers.app.url, new CookieJar())
  await expect(nobody.auth.signOut()).rejects.toMatchObject({ code: 'not-signed-in' })
  const person = await callers.app.person('Brief')
  await person.call.auth.signOut()
  await expect(person.call.teams.list()).rejects.toMatchObject({ code: 'not-signed-in' })
})

type LiveAnswer = 'snapshot' | RefusalCode
const strangers = { anonymous: 'not-a-member', stranger: 'not-a-member' } as const
const subscriptions: {
  what: string
  room: (s: Scene) => string
  answers: Omit<Answers<LiveAnswer>, 'nobody'>
}[] = [
  {
    what: "the driver's own room",
    room: s => `user:${s.userId}`,
    answers: { ...strangers, member: 'not-a-member', driver: 'snapshot' },
  },
  {
    what: "the team's room",
    room: s => `team:${s.teamId}`,
    answers: { ...strangers, member: 'snapshot', driver: 'snapshot' },
  },
  {
    what: "the session's room",
    room: s => `session:${s.sessionId}`,
    answers: { ...strangers, member: 'snapshot', driver: 'snapshot' },
  },
]

test.each(
  subscriptions.flatMap(({ what, room, answers }) =>
    byCaller(answers).map(each => ({ what, room, ...each })),
  ),
)('subscribing to $what as $who: $answer (R2)', async ({ room, who, answer }) => {
  const scene = await scenes.next()
  const connection = await callers.connect(who)
  connection.send({ t: 'subscribe', room: room(scene) as 'user:' })

  const asked = { room: room(scene) }
  expect(
    await Promise.race([connection.next('snapshot'), connection.next('refused')]),
  ).toMatchObject(
    answer === 'snapshot' ? { t: 'snapshot', ...asked } : { t: 'refused', code: answer, ...asked },
  )
  connection.close()
  scenes.keep(scene)
})

test.each([
  ['stranger', 'not-a-member'],
  ['invited', 'not-a-member'],
  ['viewer', 'not-the-driver'],
  ['member', 'not-the-driver'],
  ['owner', 'not-the-driver'],
] as const)('driving as %s: %s (R5)', async (who, answer) => {
  const { sessionId } = await scenes.next()
  const connection = await callers.connect(who)
  connection.send({ t: 'drive', session: sessionId })
  expect((await connection.next('refused')).code).toBe(answer)

  connection.send({ t: 'fix', at: Date.now(), la: 50, lo: 5, v: 100, ac: 5 })
  expect(await connection.next('refused')).toMatchObject({ re: 'fix', code: 'not-the-driver' })
  connection.send({ t: 'receipt', version: 1, stage: 'shown', at: Date.now() })
  expect(await connection.next('refused')).toMatchObject({ re: 'receipt', code: 'not-the-driver' })
  connection.close()
})

test('a live connection needs a login (L2)', async () => {
  const connection = new TestConnection(callers.app.url, { origin: callers.app.url })
  expect(await connection.closed()).toBe(4100)
})

test('a page of another origin cannot open a connection with a cookie (L1)', async () => {
  const connection = new TestConnection(callers.app.url, {
    origin: 'https://evil.example',
    cookie: callers.people.driver.jar.header,
  })
  await expect(connection.opened()).rejects.toThrow('closed before it opened')
})

test('a member who leaves receives nothing more of the team (R4)', async () => {
  const { teamId, sessionId } = await scenes.next()
  const { member, driver } = callers.people
  const connection = await member.connect()
  connection.send({ t: 'subscribe', room: `team:${teamId}` })
  await connection.next('snapshot')
  connection.send({ t: 'subscribe', room: `session:${sessionId}` })
  await connection.next('snapshot')

  await member.call.teams.leave({ teamId })
  await connection.next('team-removed')
  const refused = await connection.next('refused')
  expect(refused).toMatchObject({ room: `session:${sessionId}`, code: 'not-a-member' })
  await driver.call.messages.set({ sessionId, type: 'Pit', commandId: randomUUID() })
  await driver.call.sessions.end({ sessionId })
  await connection.roundTrip()

  expect(connection.received('message')).toEqual([])
  expect(connection.received('session-ended')).toEqual([])
  connection.close()
})
