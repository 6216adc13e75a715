import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { ingest, openAgent, openTab, startVisit } from '#support/testing/assistVisit.ts'
import { type SupportScene, supportScene } from '#support/testing/supportScene.ts'
import { CookieJar, createClient } from '#testing/people/client.ts'
import { cookieName } from '#testing/people/logins.ts'
import type { Person } from '#testing/people/person.ts'

/** Authentication of support sockets and calls, also against clients that know every id. */
let scene: SupportScene
let stranger: Person
beforeAll(async () => {
  scene = await supportScene()
  stranger = await scene.app.person('Stranger')
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(() => scene.app.forgetLimits())
afterEach(() => scene.closeConnections())

const nobody = { jar: new CookieJar() } as Person

async function isAccepted(connection: ReturnType<typeof openTab>): Promise<boolean> {
  const opened = await connection.opened()
  connection.close()
  return opened
}

test('a tab needs the login that its visit belongs to', async () => {
  const { url } = scene.app
  const visitId = await startVisit(url, scene.leo)
  const tabId = 'tab1'
  expect(await isAccepted(openTab(url, scene.leo, { visitId, tabId }))).toBe(true)
  expect(await isAccepted(openTab(url, stranger, { visitId, tabId }))).toBe(false)
  expect(await isAccepted(openTab(url, nobody, { visitId, tabId }))).toBe(false)
  const forged = `${visitId.slice(0, 63)}${visitId.endsWith('0') ? '1' : '0'}`
  expect(await isAccepted(openTab(url, scene.leo, { visitId: forged, tabId }))).toBe(false)
  expect(await isAccepted(openTab(url, scene.leo, { visitId, tabId: 'tab-1' }))).toBe(false)
})

test('an agent needs their own token for that visit, and still to be an agent', async () => {
  const { url } = scene.app
  const { visitId } = await scene.visit(scene.leo)
  const { visitId: another } = await scene.visit(stranger)
  const mia = await scene.agent('Mia')
  const pass = await mia.call.support.join({ visitId })
  const elsewhere = await mia.call.support.join({ visitId: another })
  expect(await isAccepted(openAgent(url, mia, pass))).toBe(true)
  expect(await isAccepted(openAgent(url, stranger, pass))).toBe(false)
  expect(await isAccepted(openAgent(url, scene.sam, pass))).toBe(false)
  expect(await isAccepted(openAgent(url, nobody, pass))).toBe(false)
  expect(await isAccepted(openAgent(url, mia, { ...elsewhere, room: pass.room }))).toBe(false)
  const forged = `${pass.token.slice(0, -2)}xx`
  expect(await isAccepted(openAgent(url, mia, { ...pass, token: forged }))).toBe(false)
  scene.dismiss(mia)
  expect(await isAccepted(openAgent(url, mia, pass))).toBe(false)
})

test('an agent cannot join a visit without a connected tab', async () => {
  const visitId = await startVisit(scene.app.url, scene.leo)
  await expect(scene.sam.call.support.join({ visitId })).rejects.toMatchObject({
    code: 'not-found',
  })
})

test('the app receives the settings, and whether the user is an agent', async () => {
  expect(await scene.leo.call.support.settings()).toEqual({
    ingestUrl: null,
    projectKey: 'pitboard',
    isAgent: false,
  })
  expect(await scene.sam.call.support.settings()).toMatchObject({ isAgent: true })
  expect((await scene.leo.call.auth.login()).login).toMatchObject({ support: true })
})

test('support needs a user with an address', async () => {
  const anonymous = createClient(scene.app.url, new CookieJar())
  const login = await anonymous.auth.signInAnonymously()
  expect(login.support).toBeUndefined()
  await expect(anonymous.support.settings()).rejects.toMatchObject({ code: 'address-needed' })
})

test.each(['visitors', 'audit', 'listTests'] as const)('%s is for agents only', async name => {
  await expect(scene.leo.call.support[name]()).rejects.toMatchObject({ code: 'not-found' })
  await expect(scene.sam.call.support[name]()).resolves.toEqual(expect.any(Array))
})

test('signalling accepts the visitor’s own tab and the connected agent', async () => {
  const { visitId } = await scene.visit(scene.leo)
  const connection = await scene.join(scene.sam, visitId)
  const { room, peerId } = connection.pass
  expect(await peerOpens(scene.leo, { id: `${room}-tab1` })).toBe(true)
  expect(await peerOpens(stranger, { id: `${room}-tab1` })).toBe(false)
  expect(await peerOpens(scene.sam, { id: peerId })).toBe(true)
  expect(await peerOpens(stranger, { id: peerId })).toBe(false)
  expect(await peerOpens(scene.sam, { id: `${room}-agent00` })).toBe(false)
  connection.close()
  await expect.poll(() => scene.audited(visitId)).toContain('agent-went')
  expect(await peerOpens(scene.sam, { id: peerId })).toBe(false)
})

test('an agent’s token in the signalling URL is not accepted', async () => {
  const { visitId } = await scene.visit(scene.leo)
  const { peerId, token } = await scene.sam.call.support.join({ visitId })
  expect(await peerOpens(scene.sam, { id: peerId, token })).toBe(false)
})

test('a tab cannot use the peer id of an agent', async () => {
  const { visitId } = await scene.visit(scene.leo)
  const { pass } = await scene.join(scene.sam, visitId)
  const tabId = pass.peerId.slice(pass.room.length + 1)
  expect(tabId).toMatch(/^agent/)
  expect(await peerOpens(scene.leo, { id: pass.peerId })).toBe(false)
  expect(await isAccepted(openTab(scene.app.url, scene.leo, { visitId, tabId }))).toBe(false)
})

async function peerOpens(person: Person, query: { id: string; token?: string }): Promise<boolean> {
  const address = `${scene.app.url.replace('http', 'ws')}/assist/peerjs`
  const socket = new WebSocket(`${address}?${new URLSearchParams({ key: 'peerjs', ...query })}`, {
    headers: { cookie: person.jar.header },
  })
  const opened = await new Promise<boolean>(resolve => {
    socket.once('open', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
  socket.close()
  return opened
}

test('a page of another origin cannot open either socket', async () => {
  const visitId = await startVisit(scene.app.url, scene.leo)
  for (const path of [`/ws-assist/socket/?EIO=4&transport=websocket`, '/assist/peerjs?id=x']) {
    const socket = new WebSocket(`${scene.app.url.replace('http', 'ws')}${path}`, {
      headers: { cookie: scene.leo.jar.header, origin: 'https://evil.example' },
    })
    const [error] = await once(socket, 'error')
    expect(String(error)).toContain('403')
  }
  expect(visitId).toMatch(/^[0-9a-f]{64}$/)
})

test.each([
  ['start', {}],
  ['i', {}],
  ['images', {}],
  ['feature-flags', {}],
  ['not-started', {}],
  ['uxt/signals/test', { testId: 1, status: 'begin' }],
  ['uxt/signals/task', { testId: 1, taskId: 1, status: 'begin' }],
  ['tags', undefined],
  ['uxt/test/1', undefined],
  ['uxt/upload-url', undefined],
])('ingest %s needs a login and that user’s own visit', async (path, body) => {
  const { url } = scene.app
  const token = await startVisit(url, scene.leo)
  const asked = { path, ...(body && { body }), token }
  expect((await ingest(url, null, asked)).status).toBe(401)
  // These two need no visit yet.
  if (path === 'start' || path === 'not-started') return
  expect((await ingest(url, stranger, asked)).status).toBe(401)
  expect((await ingest(url, scene.leo, { ...asked, token: 'x' })).status).toBe(401)
})

test('a page of another origin cannot start a visit', async () => {
  const response = await fetch(`${scene.app.url}/api/ingest/v1/web/start`, {
    method: 'POST',
    headers: { cookie: scene.leo.jar.header, origin: 'https://evil.example' },
    body: '{}',
  })
  expect(response.status).toBe(403)
})

test('the token of a device, sent as a cookie, cannot start a visit', async () => {
  const { leo, app } = scene
  const { token } = await leo.call.auth.createToken({ name: 'Logger', scopes: ['drive', 'read'] })
  const start = (login: string) =>
    fetch(`${app.url}/api/ingest/v1/web/start`, {
      method: 'POST',
      headers: { cookie: `${cookieName}=${login}`, origin: app.url },
      body: JSON.stringify({ userUUID: null }),
    }).then(({ status }) => status)
  expect(await start(leo.jar.get(cookieName) ?? '')).toBe(200)
  expect(await start(token.replace('pitboard_', ''))).toBe(401)
})
