import { afterAll, beforeAll, expect, test } from 'vitest'
import { CloseCode, protocol } from '#contract/shared/liveRules.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import { fix } from '#testing/live/liveScene.ts'
import { TestConnection } from '#testing/live/testConnection.ts'
import type { Person } from '#testing/people/person.ts'
import { createLog } from '../log.ts'
import { connectionTracer } from './liveTrace.ts'

interface Line {
  msg: string
  connectionId?: string
  userId?: string
  pageId?: string
  frame?: string
  sessionId?: string
}

const lines: string[] = []
let app: TestApp
let leo: Person
let teamId: string
let sessionId: string

beforeAll(async () => {
  app = await testApp({ logLevel: 'debug' }, { write: line => void lines.push(line) })
  leo = await app.person('Leonhard', 'Wintergreen')
  teamId = (await leo.call.teams.create({ name: 'Night Owls' })).id
  sessionId = (await leo.call.sessions.start({ teamId, name: 'Stint 1' })).id
})
afterAll(() => app[Symbol.asyncDispose]())

/** The log lines of the connection whose hello named this page, once it has closed. */
async function linesOf(pageId: string): Promise<Line[]> {
  const all = () => lines.map((line): Line => JSON.parse(line))
  const hellos = () => all().filter(line => line.pageId === pageId)
  await expect.poll(hellos).not.toEqual([])
  const ids = hellos().map(({ connectionId }) => connectionId)
  const ofConnections = () => all().filter(line => ids.includes(line.connectionId))
  const isClosed = ({ msg }: Line) => msg === 'connection closed'
  await expect.poll(() => ofConnections().filter(isClosed)).toHaveLength(ids.length)
  return ofConnections()
}

/** Opens a connection like a page of the app. */
async function openPage(pageId: string): Promise<TestConnection> {
  const connection = new TestConnection(app.url, { cookie: leo.jar.header, origin: app.url })
  await connection.opened()
  connection.send({ t: 'hello', protocol, page: pageId })
  await connection.next('welcome')
  return connection
}

/** The step that a line describes: the message, and the frame or close code if it has one. */
function stepOf({ msg, ...fields }: Line): unknown[] {
  const { frame, room, code, version } = fields as Record<string, unknown>
  return [msg, frame, room, code, version].filter(part => part !== undefined)
}

test('the log follows a connection from its request to its end', async () => {
  const room = `session:${sessionId}` as const
  const phone = await openPage('page-1')
  phone.send({ t: 'drive', session: sessionId })
  await phone.next('snapshot')
  phone.send(fix())
  await phone.roundTrip()
  await leo.call.messages.set({ sessionId, type: 'Pit', commandId: crypto.randomUUID() })
  await phone.next('message')
  phone.send({ t: 'receipt', version: 1, stage: 'shown', at: Date.now() })
  await phone.next('receipt')
  const answer = { id: crypto.randomUUID(), kind: 'Problem', version: 1, at: Date.now() } as const
  phone.send({ t: 'answer', ...answer })
  await phone.next('answer')
  phone.send({ t: 'subscribe', room: `team:${crypto.randomUUID()}` })
  await phone.next('refused')
  phone.close()

  const followed = await linesOf('page-1')
  expect(followed.map(stepOf)).toEqual([
    ['connection requested'],
    ['connection authenticated'],
    ['received', 'hello'],
    ['sent', 'welcome'],
    ['received', 'drive'],
    ['sent', 'snapshot', room],
    ['received', 'fix'],
    ['sent', 'message', 1],
    ['received', 'receipt', 1],
    ['sent', 'receipt', 1],
    ['received', 'answer'],
    ['sent', 'answer'],
    ['received', 'subscribe', expect.stringContaining('team:')],
    ['sent', 'refused', expect.stringContaining('team:'), 'not-a-member'],
    ['connection closed', 1006],
  ])
  expect(new Set(followed.map(line => line.connectionId)).size).toBe(1)
  expect(followed.slice(1).every(line => line.userId === leo.id)).toBe(true)
  const frames = ['drive', 'fix', 'message', 'receipt', 'answer']
  const ofSession = followed.filter(({ frame = '' }) => frames.includes(frame))
  expect(ofSession.filter(line => line.sessionId !== sessionId)).toEqual([])
})

test('a reconnect has another connection id and the same page id', async () => {
  ;(await openPage('page-2')).close()
  const second = await openPage('page-2')
  second.close()
  const hellos = (await linesOf('page-2')).filter(line => line.frame === 'hello')
  expect(hellos).toHaveLength(2)
  expect(new Set(hellos.map(line => line.connectionId)).size).toBe(2)
})

test('a connection without a valid login and one that the server closes are logged', async () => {
  const stranger = new TestConnection(app.url, { cookie: 'pitboard_login=wrong', origin: app.url })
  expect(await stranger.closed()).toBe(CloseCode.signedOut)
  expect(lines.join('')).toContain('connection refused: no valid login')

  const broken = await openPage('page-3')
  broken.socket.send('no JSON')
  await broken.closed()
  expect((await linesOf('page-3')).map(stepOf).slice(-3)).toEqual([
    ['received a frame that is not JSON'],
    ['closing connection', CloseCode.badFrame],
    ['connection closed', CloseCode.badFrame],
  ])
})

test('the log contains no names, addresses, positions or tokens', async () => {
  const connection = await openPage('page-4')
  connection.send({ t: 'subscribe', room: `user:${leo.id}` })
  await connection.next('snapshot')
  connection.socket.send(JSON.stringify({ t: leo.email }))
  await connection.next('refused')
  connection.close()
  await linesOf('page-4')
  const log = lines.join('')
  const cookies = leo.jar.header.split('; ').map(cookie => cookie.slice(cookie.indexOf('=') + 1))
  for (const secret of [
    leo.email,
    'Leonhard',
    'Wintergreen',
    'Owls',
    'Stint',
    '50.4372',
    ...cookies,
  ])
    expect(log).not.toContain(secret)
})

test('connections are only followed if the log has level debug', () => {
  const tracer = (level: string) => connectionTracer(createLog(level, { write: () => {} }))
  expect([tracer('info'), typeof tracer('debug')]).toEqual([undefined, 'function'])
})
