import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Up } from '#contract/live.ts'
import { RefusalBody } from '#contract/refusal.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import { fileClient, formOf } from '#testing/files/files.ts'
import { phoneState } from '#testing/live/liveScene.ts'
import { TestConnection } from '#testing/live/testConnection.ts'
import { CookieJar, createClient } from '#testing/people/client.ts'
import type { Person } from '#testing/people/person.ts'

test('anonymous accounts are disabled by default', async () => {
  await using app = await testApp()
  const call = createClient(app.url, new CookieJar())
  await expect(call.auth.signInAnonymously()).rejects.toMatchObject({ code: 'not-found' })
  expect(await app.database.db.selectFrom('users').select('id').execute()).toEqual([])
})

const endpoints = Object.entries(api).flatMap(([topic, calls]) =>
  Object.entries<Endpoint>(calls).map(([name, endpoint]) => ({
    ...endpoint,
    name: `${topic}.${name}`,
  })),
)

test('an anonymous login may read, and end its own logins', () => {
  const commands = endpoints.filter(({ kind, auth }) => kind === 'command' && auth === 'any-login')
  expect(commands.map(({ name }) => name)).toEqual([
    'auth.endLogin',
    'auth.signOutEverywhere',
    'auth.signOut',
  ])
})

describe('an anonymous member of a team', () => {
  let app: TestApp
  let ana: Person
  let jar: CookieJar
  let ids: { teamId: string; sessionId: string; userId: string }

  beforeAll(async () => {
    app = await testApp({ anonymousAccounts: true })
    ana = await app.person('Ana')
    const team = await ana.call.teams.create({ name: 'Night Owls' })
    const session = await ana.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
    jar = new CookieJar()
    const { user } = await createClient(app.url, jar).auth.signInAnonymously()
    // Inserted by hand, because no feature creates an anonymous member yet.
    const member = { team_id: team.id, user_id: user.id }
    await app.database.db.insertInto('team_access').values(member).execute()
    ids = { teamId: team.id, sessionId: session.id, userId: user.id }
  })
  afterAll(() => app[Symbol.asyncDispose]())

  async function stored() {
    const { db } = app.database
    return Promise.all([
      db.selectFrom('users').selectAll().orderBy('id').execute(),
      db.selectFrom('teams').selectAll().orderBy('id').execute(),
      db.selectFrom('team_access').selectAll().orderBy('user_id').execute(),
      db.selectFrom('sessions').selectAll().orderBy('id').execute(),
      db.selectFrom('newest_fixes').selectAll().orderBy('session_id').execute(),
      db.selectFrom('messages').selectAll().execute(),
      db.selectFrom('files').selectAll().execute(),
      db.selectFrom('positions').selectAll().execute(),
      db.selectFrom('logins').selectAll().orderBy('id').execute(),
    ])
  }

  test('reads the team, its session and its log', async () => {
    const call = createClient(app.url, jar)
    const { teamId, sessionId } = ids
    expect(await call.teams.get({ teamId })).toMatchObject({ name: 'Night Owls' })
    expect(await call.sessions.get({ sessionId })).toMatchObject({ name: 'Stint 1' })
    expect(await call.messages.log({ sessionId })).toEqual([])
    const csv = await send(`v1/sessions/${sessionId}/messages.csv`)
    expect(csv.status).toBe(200)
  })

  const commands = endpoints.filter(
    ({ kind, auth }) => kind === 'command' && (auth === 'signed-in' || auth === 'account'),
  )

  test.each(commands)('may not call $name', async ({ name }) => {
    const before = await stored()
    await expectRefused(await send(name, { ...ids, name: 'Mine', firstName: 'A', lastName: 'B' }))
    expect(isDeepStrictEqual(await stored(), before)).toBe(true)
  })

  test('may not upload a file or report a position', async () => {
    const before = await stored()
    const { teamId, sessionId } = ids
    const form = formOf({ teamId, name: 'setup.txt', file: Buffer.from('Camber -2.5') })
    await expectRefused(await fileClient(app.url, jar).send(form))
    await expectRefused(await send(`v1/sessions/${sessionId}/contact`, { speedKmh: 120 }))
    expect(isDeepStrictEqual(await stored(), before)).toBe(true)
  })

  test('may subscribe to a session, and sends nothing else (R9)', async () => {
    const { sessionId: session } = ids
    const connection = await new TestConnection(app.url, {
      cookie: jar.header,
      origin: app.url,
    }).greet()
    connection.send({ t: 'subscribe', room: `session:${session}` })
    expect(await connection.next('snapshot')).toMatchObject({ room: `session:${session}` })
    const at = Date.now()
    const frames: Up[] = [
      { t: 'drive', session },
      { t: 'stop-driving' },
      { t: 'fix', at, la: 50, lo: 5, v: 100, ac: 5 },
      { t: 'receipt', version: 1, stage: 'shown', at },
      { t: 'phone', phone: phoneState },
      { t: 'test' },
      { t: 'test-seen', session },
    ]
    for (const frame of frames) {
      connection.send(frame)
      expect(await connection.next('refused')).toMatchObject({
        re: frame.t,
        code: 'address-needed',
      })
    }
    const type = 'Pit'
    await ana.call.messages.set({ sessionId: session, type, commandId: randomUUID() })
    expect(await connection.next('message')).toMatchObject({ message: { type } })
    connection.close()
  })

  function send(path: string, body?: object) {
    return fetch(`${app.url}/api/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        cookie: jar.header,
        'x-xsrf-token': jar.get('XSRF-TOKEN') ?? '',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  }

  async function expectRefused(response: Response) {
    expect(RefusalBody.parse(await response.json()).code).toBe('address-needed')
    expect(response.status).toBe(403)
  }
})
