import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Up } from '#contract/live.ts'
import { CloseCode, maxUpBytes, minProtocol, protocol } from '#contract/shared/liveRules.ts'
import type { TestApp } from '#testing/app.ts'
import { fix, type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { TestConnection } from '#testing/live/testConnection.ts'
import type { Person } from '#testing/people/person.ts'

let scene: LiveScene
let app: TestApp
let ana: Person
let leo: Person

beforeAll(async () => {
  scene = await liveScene()
  ;({ app, ana, leo } = scene)
})
afterAll(() => scene[Symbol.asyncDispose]())

test('the first frame is hello with the protocol of this server (L3)', async () => {
  const client = await ungreeted()
  client.send({ t: 'heartbeat', at: 1 })
  expect(await client.closed()).toBe(CloseCode.noHello)

  for (const number of [minProtocol - 1, protocol + 1]) {
    const unsupported = await ungreeted()
    unsupported.send({ t: 'hello', protocol: number })
    expect(await unsupported.closed()).toBe(CloseCode.wrongProtocol)
  }
})

test('a client that breaks the protocol loses only its own connection (L2, L4)', async () => {
  const client = new TestConnection(app.url, { origin: app.url })
  // Three reserved bits make an invalid WebSocket frame; it is sent before the close is answered.
  client.socket.once('upgrade', ({ socket }) => socket.write(Buffer.from([0xf1, 0x85, 0, 0, 0, 0])))
  await client.closed()
  const connection = await ana.connect()
  await connection.roundTrip()
  expect(connection.received('refused')).toEqual([])
})

test('a heartbeat is answered with the time and the newest versions (L5, M5)', async () => {
  const { session } = await scene.newSession()
  await ana.call.messages.set({ sessionId: session.id, type: 'SC', commandId: randomUUID() })
  const pit = await subscribedConnection(ana, `session:${session.id}`)

  pit.send({ t: 'heartbeat', at: 12.5 })

  const heartbeat = await pit.next('heartbeat')
  expect(heartbeat).toMatchObject({ at: 12.5, versions: { [session.id]: 1 } })
  expect(Math.abs(heartbeat.now - Date.now())).toBeLessThan(5000)
})

test('a connection that sends nothing for 5 s is closed (L5)', async () => {
  const [greeted, quiet] = await Promise.all([ana.connect(), ungreeted()])
  expect(await greeted.closed()).toBe(CloseCode.timedOut)
  expect(await quiet.closed()).toBe(CloseCode.noHello)
})

test('signing out closes only the connections of that login (L7)', async () => {
  const person = await app.person('Noor')
  const connection = await person.connect()
  const other = await ana.connect()
  await person.call.auth.signOut()

  expect(await connection.closed()).toBe(CloseCode.signedOut)
  await other.roundTrip()
})

test.each([
  ['not JSON', 'pit!', CloseCode.badFrame],
  ['binary', Buffer.from('{"t":"heartbeat","at":1}'), CloseCode.badFrame],
  ['over 4 KiB', JSON.stringify({ t: 'heartbeat', at: 1, x: 'x'.repeat(maxUpBytes) }), 1009],
] as const)('a frame that is %s ends the connection (L4)', async (_what, data, code) => {
  const connection = await ana.connect()
  connection.socket.send(data)
  expect(await connection.closed()).toBe(code)
})

test.each([
  ['null', null],
  ['a number', 7],
  ['an array', []],
  ['an unknown type', { t: 'shout' }],
  ['a type that is not text', { t: { toString: 1 } }],
  ['a room of no kind', { t: 'subscribe', room: 'planet:1' }],
  ['a room without an id', { t: 'subscribe', room: 'team:' }],
  ['a latitude off the globe', { ...fix(), la: 91 }],
  ['a speed over 320', { ...fix(), v: 321 }],
  ['a speed as text', { ...fix(), v: '187' }],
  ['a fix without a time', { ...fix(), at: undefined }],
  ['a receipt for version 0', { t: 'receipt', version: 0, stage: 'shown', at: 1 }],
  ['a receipt for a version beyond all', { t: 'receipt', version: 2 ** 40, stage: 'shown', at: 1 }],
])('%s is refused and the connection stays (L4)', async (_what, frame) => {
  const { session } = await scene.newSession()
  const connection = await scene.drivingConnection(session.id)
  connection.send(frame as unknown as Up)

  expect((await connection.next('refused')).code).toMatch(/^(invalid-input|not-found)$/)
  await connection.roundTrip()
})

test('frames queued during a server stall of 5 s are handled (L6)', async () => {
  const connection = await ana.connect()
  for (let n = 0; n < 250; n++) connection.send({ t: 'heartbeat', at: n })
  expect((await connection.next('heartbeat', ({ at }) => at === 249)).versions).toEqual({})
})

test('a connection over the frame rate limit is closed (L6)', async () => {
  const connection = await ana.connect()
  for (let n = 0; n < 900; n++) connection.send({ t: 'heartbeat', at: n })
  expect(await connection.closed()).toBe(CloseCode.tooMany)
})

test('subscribe over its rate limit is refused without delaying receipts (L6)', async () => {
  const { session } = await scene.newSession()
  const pit = await subscribedConnection(ana, `session:${session.id}`)
  const car = await scene.drivingConnection(session.id)
  await ana.call.messages.set({ sessionId: session.id, type: 'Pit', commandId: randomUUID() })
  const { message } = await car.next('message')
  const room = `session:${session.id}` as const
  for (let n = 0; n < 100; n++) car.send({ t: 'subscribe', room })
  car.send({ t: 'receipt', version: message.version, stage: 'shown', at: Date.now() })

  expect(await car.next('refused')).toMatchObject({ re: 'subscribe', code: 'too-many', room })
  expect((await pit.next('receipt')).version).toBe(message.version)
  await car.roundTrip()
  expect(car.received('refused').every(({ re }) => re === 'subscribe')).toBe(true)
  // The allowed ones are answered, one snapshot after the other.
  for (let n = 0; n < 40; n++) await car.next('snapshot')
})

test('a user may have 20 connections, and one more once one has closed (L6)', async () => {
  const person = await app.person('Mia')
  const connections = await Promise.all(Array.from({ length: 20 }, () => person.connect()))
  const openAnother = async () => {
    const extra = new TestConnection(app.url, { cookie: person.jar.header, origin: app.url })
    return Promise.race([extra.closed(), extra.greet().then(() => 'open')])
  }
  expect(await openAnother()).toBe(CloseCode.tooMany)
  for (const connection of connections) await connection.roundTrip()

  connections[0]?.close()
  await connections[0]?.closed()
  // The server may notice later than the client that the connection has closed.
  await expect.poll(openAnother).toBe('open')
})

test('a connection may be in 32 rooms (L6)', async () => {
  const connection = await ana.connect()
  const teams = []
  for (let n = 0; n < 16; n++) {
    const { team, session } = await scene.newSession()
    await leo.call.sessions.end({ sessionId: session.id })
    teams.push(team)
    connection.send({ t: 'subscribe', room: `team:${team.id}` })
    connection.send({ t: 'subscribe', room: `session:${session.id}` })
  }
  expect(await connection.next('refused')).toMatchObject({ code: 'too-many', re: 'subscribe' })
  await connection.roundTrip()
})

async function ungreeted(): Promise<TestConnection> {
  const connection = new TestConnection(app.url, { cookie: ana.jar.header, origin: app.url })
  await connection.opened()
  return connection
}
