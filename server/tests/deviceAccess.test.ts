import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Up } from '#contract/live.ts'
import { RefusalBody } from '#contract/refusal.ts'
import { type DeviceScope, deviceScopes, type Scope, scopes } from '#contract/shared/scopes.ts'
import { type LiveScene, liveScene, phoneState } from '#testing/live/liveScene.ts'
import { TestConnection } from '#testing/live/testConnection.ts'
import { connectTelevision } from '#testing/people/connectTelevision.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { cookieName } from '#testing/people/logins.ts'

/**
 * Access rules of devices: every HTTP route and every frame, with tokens of one scope each. The session's driver,
 * who may make all of these requests in a browser, owns the tokens, and has connected the television.
 */
let scene: LiveScene
let tokens: Record<Scope, string>
let documented: Record<string, Record<string, unknown>>

beforeAll(async () => {
  scene = await liveScene()
  const { leo, app } = scene
  const create = async (scope: DeviceScope) =>
    (await leo.call.auth.createToken({ name: scope, scopes: [scope] })).token
  const television = await connectTelevision(app.url, leo, (await createTeam(leo, [])).id)
  tokens = {
    drive: await create('drive'),
    read: await create('read'),
    send: await create('send'),
    timing: await create('timing'),
    wall: television.jar.get(cookieName) ?? '',
  }
  const document = await fetch(`${app.url}/api/openapi.json`)
  documented = ((await document.json()) as { paths: typeof documented }).paths
})
afterAll(() => scene[Symbol.asyncDispose]())

/** Routes that devices may call, by scope; those of `any` with each scope. All others are for browsers. */
const allowed: Record<Scope | 'any', readonly string[]> = {
  any: ['users.me', 'auth.signOut'],
  drive: [
    'sessions.start',
    'sessions.end',
    'sessions.storeFixes',
    'sessions.reportPhoneState',
    'v1/sessions/{sessionId}/contact',
    'circuits.ofSession',
  ],
  read: [
    'users.get',
    'teams.list',
    'teams.get',
    'teams.members',
    'sessions.get',
    'sessions.list',
    'sessions.listActive',
    'sessions.listEnded',
    'messages.log',
    'laps.list',
    'notifications.list',
    'circuits.list',
    'circuits.get',
    'circuits.ofSession',
    'circuits.driven',
    'circuits.usualLap',
    'v1/teams/{teamId}/circuits/{circuitId}/{format}',
    'positions.list',
    'races.list',
    'races.plan',
    'roster.get',
    'rulePacks.list',
    'carRaces.ofRace',
    'carRaces.ofSession',
    'words.list',
    'v1/sessions/{sessionId}/messages.csv',
    'v1/sessions/{sessionId}/positions.csv',
    'v1/sessions/{sessionId}/racechrono.csv',
    'v1/sessions/{sessionId}/track.gpx',
    'v1/sessions/{sessionId}/track.vbo',
    'v1/sessions/{sessionId}/laps.csv',
    'files.list',
    'files.get',
    'timing.ofRace',
    'timing.passings',
    'glass.log',
  ],
  timing: ['timing.push'],
  send: ['messages.gotIt', 'messages.set', 'sessions.setExpiry', 'words.list', 'glass.set'],
  // A television.
  wall: [
    'sessions.get',
    'sessions.listActive',
    'laps.list',
    'circuits.ofSession',
    'roster.get',
    'carRaces.ofSession',
    'timing.ofRace',
  ],
}

/** Anyone may call these without a login. */
const open = [
  'auth.sendCode',
  'auth.verifyCode',
  'auth.signInAnonymously',
  'auth.login',
  'passkeys.startSignIn',
  'passkeys.signIn',
  'joinCodes.find',
  'joinCodes.join',
  'joinCodes.state',
  'televisions.requestCode',
  'televisions.collect',
  'teams.openInvitation',
  'privacy.settings',
]

test.each(scopes)('each route is refused or not for a token with the scope %s', async scope => {
  await scene.app.forgetLimits()
  const passed: string[] = []
  for (const [path, methods] of Object.entries(documented)) {
    const name = path.replace('/api/', '')
    // It ends the token: see below.
    if (name === 'auth.signOut') continue
    for (const method of Object.keys(methods))
      if (!(await isRefused(path, method, tokens[scope]))) passed.push(name)
  }
  const expected = [...allowed.any, ...allowed[scope], ...open].filter(
    name => name !== 'auth.signOut',
  )
  expect(passed.sort()).toEqual(expected.sort())
})

/** Whether the request is refused for its scope: only `files.get` reads its input before. */
async function isRefused(path: string, method: string, token: string): Promise<boolean> {
  const response = await fetch(
    `${scene.app.url}${pathOf(path)}?teamId=${randomUUID()}&name=logo.png`,
    requestWith(method.toUpperCase(), { authorization: `Bearer ${token}` }),
  )
  if (response.ok) return false
  const { code } = RefusalBody.parse(await response.json())
  // Shows that the token was accepted.
  expect(code).not.toBe('not-signed-in')
  return code === 'insufficient-scope' || code === 'address-needed'
}

/** A path with valid parameters, which are read before the scope is checked. */
function pathOf(path: string): string {
  return path
    .replace('{format}', 'gpx')
    .replace('{circuitId}', 'zolder')
    .replaceAll(/\{\w+\}/g, () => randomUUID())
}

function requestWith(method: string, headers: Record<string, string>): RequestInit {
  const json = { ...headers, 'content-type': 'application/json' }
  return method === 'GET' ? { headers } : { method, headers: json, body: '{}' }
}

test.each(deviceScopes)('a token with the scope %s can end itself', async scope => {
  const { token } = await scene.leo.call.auth.createToken({ name: 'Brief', scopes: [scope] })
  const post = () =>
    fetch(
      `${scene.app.url}/api/auth.signOut`,
      requestWith('POST', { authorization: `Bearer ${token}` }),
    ).then(({ status }) => status)
  expect(await post()).toBe(200)
  expect(await post()).toBe(401)
})

test('a token with two scopes may do what either allows', async () => {
  const { token } = await scene.leo.call.auth.createToken({
    name: 'Dash',
    scopes: ['drive', 'read'],
  })
  expect(await isRefused('/api/sessions.end', 'post', token)).toBe(false)
  expect(await isRefused('/api/teams.list', 'get', token)).toBe(false)
  expect(await isRefused('/api/messages.set', 'post', token)).toBe(true)
})

test('a token in a cookie has no more rights than in a header', async () => {
  const plain = tokens.read.replace('pitboard_', '')
  const headers = { cookie: `XSRF-TOKEN=own; ${cookieName}=${plain}`, 'x-xsrf-token': 'own' }
  const { url } = scene.app
  expect((await fetch(`${url}/api/teams.list`, { headers })).status).toBe(200)
  const response = await fetch(
    `${url}/api/teams.create`,
    requestWith('POST', { ...headers, origin: url }),
  )
  expect(await response.json()).toMatchObject({ code: 'insufficient-scope' })
})

const frames: Record<Scope, (session: string) => Up[]> = {
  drive: session => [
    { t: 'drive', session },
    { t: 'fix', at: Date.now(), la: 50, lo: 5, v: 100, ac: 5 },
    { t: 'receipt', version: 1, stage: 'shown', at: Date.now() },
    { t: 'flag-shown', feed: randomUUID(), change: 1, at: Date.now() },
    { t: 'phone', phone: phoneState },
    { t: 'test' },
    { t: 'stop-driving' },
  ],
  read: session => [
    { t: 'subscribe', room: `session:${session}` },
    { t: 'unsubscribe', room: `session:${session}` },
  ],
  send: session => [{ t: 'test-seen', session }],
  timing: () => [],
  wall: session => [
    { t: 'subscribe', room: `session:${session}` },
    { t: 'unsubscribe', room: `session:${session}` },
  ],
}

test.each(scopes)('each frame is refused or not for a token with the scope %s', async scope => {
  const { session } = await scene.newSession()
  const connection = await connect(tokens[scope])
  const refused = new Set<string>()
  const all = Object.values(frames).flatMap(framesOf => framesOf(session.id))
  for (const frame of all) {
    connection.send(frame)
    await connection.roundTrip()
  }
  for (const { re, code } of connection.received('refused'))
    if (code === 'insufficient-scope' || code === 'address-needed') refused.add(re)
  const own = frames[scope](session.id).map(({ t }) => t)
  const others = all.map(({ t }) => t).filter(t => !own.includes(t))
  expect([...refused].sort()).toEqual([...new Set(others)].sort())
  connection.close()
})

function connect(token: string): Promise<TestConnection> {
  return new TestConnection(scene.app.url, { authorization: `Bearer ${token}` }).greet()
}

test('only a device that may read receives the changes of its owner', async () => {
  const { leo } = scene
  const [reading, driving] = [await connect(tokens.read), await connect(tokens.drive)]
  await leo.call.users.rename({ firstName: 'Leonie', lastName: 'Garnier' })
  await reading.next('user-changed')
  await driving.roundTrip()
  expect(driving.received('user-changed')).toEqual([])
  await leo.call.users.rename({ firstName: 'Leo', lastName: 'Garnier' })
  reading.close()
  driving.close()
})

test('a driving device of somebody who leaves the team is removed (R4)', async () => {
  const { team, session } = await scene.newSession()
  const driving = await connect(tokens.drive)
  driving.send({ t: 'drive', session: session.id })
  await driving.next('snapshot')
  await scene.leo.call.teams.leave({ teamId: team.id })
  expect(await driving.next('refused')).toMatchObject({
    room: `session:${session.id}`,
    code: 'not-a-member',
  })
  driving.close()
})
