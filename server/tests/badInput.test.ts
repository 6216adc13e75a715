import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { RefusalBody } from '#contract/refusal.ts'
import { latestQueryMs } from '#contract/shared/bounds.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import type { Person } from '#testing/people/person.ts'

/** Malformed, oversized and out-of-range input gets a typed refusal, never a 500, and changes nothing. */
let app: TestApp
let ana: Person
/** They take turns, because some calls allow only ten a minute. */
let senders: Person[]
let sent = 0
let ids: { teamId: string; sessionId: string }

beforeAll(async () => {
  app = await testApp()
  ana = await app.person('Ana')
  senders = [ana, await app.person('Leo'), await app.person('Mia'), await app.person('Kim')]
  const team = await ana.call.teams.create({ name: 'Night Owls' })
  const session = await ana.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  ids = { teamId: team.id, sessionId: session.id }
})
afterAll(() => app[Symbol.asyncDispose]())

const endpoints = Object.entries(api).flatMap(([topic, calls]) =>
  Object.entries<Endpoint>(calls).map(([name, { kind, maxBodyBytes = 64 * 1024 }]) => ({
    name: `${topic}.${name}`,
    kind,
    maxBodyBytes,
  })),
)
const commands = endpoints.filter(({ kind, name }) => kind === 'command' && !takesNothing(name))
const reads = endpoints.filter(({ kind }) => kind === 'read')

function takesNothing(name: string): boolean {
  return [
    'auth.signOut',
    'auth.signOutEverywhere',
    'auth.signInAnonymously',
    'users.deletePositions',
    'passkeys.startAdding',
    'notifications.unsubscribe',
    'notifications.test',
    'passkeys.startSignIn',
    'televisions.requestCode',
  ].includes(name)
}

function send(name: string, body: BodyInit, headers: Record<string, string> = {}) {
  const { jar } = senders[sent++ % senders.length] ?? ana
  return fetch(`${app.url}/api/${name}`, {
    method: 'POST',
    body,
    headers: {
      cookie: jar.header,
      'x-xsrf-token': jar.get('XSRF-TOKEN') ?? '',
      'content-type': 'application/json',
      ...headers,
    },
  })
}

/** All rows that a command could change. */
async function everything() {
  const { db } = app.database
  return Promise.all([
    db.selectFrom('users').selectAll().orderBy('id').execute(),
    db.selectFrom('teams').selectAll().orderBy('id').execute(),
    db.selectFrom('team_access').selectAll().orderBy('user_id').execute(),
    db.selectFrom('invitations').selectAll().orderBy('id').execute(),
    db.selectFrom('sessions').selectAll().orderBy('id').execute(),
    db.selectFrom('newest_fixes').selectAll().orderBy('session_id').execute(),
    db.selectFrom('messages').selectAll().execute(),
    db.selectFrom('logins').selectAll().orderBy('id').execute(),
    db.selectFrom('cars').selectAll().execute(),
    db.selectFrom('drivers').selectAll().execute(),
    db.selectFrom('stints').selectAll().execute(),
    db.selectFrom('races').selectAll().execute(),
    db.selectFrom('race_plans').selectAll().execute(),
    db.selectFrom('rule_packs').selectAll().execute(),
    db.selectFrom('fills').selectAll().execute(),
  ])
}

async function expectRefused(response: Response, code: string | RegExp) {
  const { code: got, message } = RefusalBody.parse(await response.json())
  expect(got).toMatch(code)
  expect(message.length).toBeGreaterThan(10)
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(response.status).toBeLessThan(500)
}

const wrong: unknown[] = [
  null,
  7,
  'text',
  [],
  [[]],
  true,
  { unknown: 1 },
  { __proto__: null, toString: 1 },
]

/** Fields of all endpoints, each with an invalid value. */
function hostile(value: unknown) {
  return {
    email: value,
    code: value,
    firstName: value,
    lastName: value,
    name: value,
    userId: value,
    teamId: value,
    sessionId: value,
    type: value,
    commandId: value,
    car: value,
    carId: value,
    driver: value,
    driverId: value,
    stintId: value,
    from: value,
    ids: value,
    id: value,
    race: value,
    raceId: value,
    rules: value,
    file: value,
    change: value,
    at: value,
    pressedAt: value,
    device: value,
  }
}
const values = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x'.repeat(2000),
  -1,
  1e308,
  {},
  [],
  true,
  { length: { toString: 1 } },
]

test.each(commands)('$name refuses malformed input', async ({ name }) => {
  const before = await everything()
  for (const body of [...wrong, ...values.map(hostile)]) {
    await expectRefused(await send(name, JSON.stringify(body)), /^(invalid-input|not-a-member)$/)
  }
  expect(await everything()).toEqual(before)
})

test.each(commands)(
  '$name refuses bodies that are not JSON or have another content type',
  async ({ name }) => {
    await expectRefused(await send(name, '{"a":'), 'invalid-input')
    await expectRefused(await send(name, ''), 'invalid-input')
    await expectRefused(await send(name, '{"__proto__":{"a":1}}'), 'invalid-input')
    await expectRefused(
      await send(name, 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }),
      'unsupported-type',
    )
  },
)

test.each(commands)(
  '$name refuses more than $maxBodyBytes bytes',
  async ({ name, maxBodyBytes }) => {
    const body = JSON.stringify({ name: 'x'.repeat(maxBodyBytes) })
    await expectRefused(await send(name, body), 'too-large')
  },
)

test.each(reads)('$name refuses invalid ids', async ({ name }) => {
  const query = ['', "' or 1=1 --", '\u0000', '../../etc/passwd', `${'9'.repeat(5000)}`]
  for (const value of query) {
    const search = new URLSearchParams({
      teamId: value,
      sessionId: value,
      userId: value,
      limit: value,
    })
    const response = await fetch(`${app.url}/api/${name}?${search}`, {
      headers: { cookie: ana.jar.header },
    })
    expect(response.status).toBeLessThan(500)
    expect([200, 400, 403, 404, 431]).toContain(response.status)
  }
})

test('numbers and times that no column can hold are refused', async () => {
  const { teamId, sessionId } = ids
  const undo = { teamId, circuitId: 'zolder', version: Number.MAX_SAFE_INTEGER }
  await expectRefused(await send('circuits.undo', JSON.stringify(undo)), 'invalid-input')
  const reads = [
    ['positions.list', 'sessionId', sessionId, 'from'],
    ['positions.list', 'sessionId', sessionId, 'until'],
    ['sessions.list', 'teamId', teamId, 'from'],
    ['sessions.list', 'teamId', teamId, 'before'],
  ] as const
  const read = (name: string, query: Record<string, string>) =>
    fetch(`${app.url}/api/${name}?${new URLSearchParams(query)}`, {
      headers: { cookie: ana.jar.header },
    })
  for (const [name, key, id, time] of reads) {
    await expectRefused(
      await read(name, { [key]: id, [time]: '8640000000000000' }),
      'invalid-input',
    )
    const { status } = await read(name, { [key]: id, [time]: String(latestQueryMs) })
    expect(status).toBe(200)
  }
})

test('a refusal names the invalid fields, so that a form can show them', async () => {
  const response = await send(
    'teams.invite',
    JSON.stringify({ ...ids, firstName: ' ', lastName: 'Garnier', email: 'leo@' }),
  )
  expect(await response.json()).toEqual({
    code: 'invalid-input',
    message: 'Something in this request is missing or not valid.',
    fields: { firstName: 'missing', email: 'email-incomplete' },
  })
})

test('a command from another site, or without the XSRF token, is refused', async () => {
  const body = JSON.stringify({ name: 'Forged' })
  const before = await everything()
  await expectRefused(await send('teams.create', body, { 'x-xsrf-token': '' }), 'forged-request')
  await expectRefused(await send('teams.create', body, { 'x-xsrf-token': 'x' }), 'forged-request')
  await expectRefused(
    await send('teams.create', body, { origin: 'https://evil.example' }),
    'forged-request',
  )
  await expectRefused(await send('teams.create', body, { origin: 'null' }), 'forged-request')
  expect(await everything()).toEqual(before)
})

test('a percent-encoded path follows the same rules', async () => {
  const before = await everything()
  const forged = await fetch(`${app.url}/%61pi/teams.create`, {
    method: 'POST',
    body: JSON.stringify({ name: 'Forged' }),
    headers: {
      cookie: ana.jar.header,
      'content-type': 'application/json',
      origin: 'https://evil.example',
    },
  })
  await expectRefused(forged, 'forged-request')
  expect(await everything()).toEqual(before)
})

test('unknown paths are refused, whatever the request contains', async () => {
  for (const path of [
    '/api',
    '/api/',
    '/api/teams.destroy',
    '/api/teams.list/x',
    '/api/%00',
    '/api/%',
  ]) {
    const response = await fetch(`${app.url}${path}`, { headers: { cookie: ana.jar.header } })
    await expectRefused(response, /^(not-found|invalid-input)$/)
  }
})

test('a device without cookies is not mistaken for a forged request', async () => {
  const response = await fetch(`${app.url}/api/auth.verifyCode`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ana.email, code: '123456', device: 'logger' }),
  })
  await expectRefused(response, 'code-dead')
})
