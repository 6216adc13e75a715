import { EventEmitter, once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2'
import { request as requestHttps } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '#contract/shared/clock.ts'
import { systemClock } from '../clock.ts'
import { Authority, type TlsCertificate } from '../https/authority.ts'
import { createLog } from '../log.ts'
import { createHttp } from './server.ts'
import { openUpgrades } from './upgrades.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'pitboard-secure-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const authority = await Authority.open(dataDir, ['localhost'], Date.now())
const issue = () => authority.issue(['127.0.0.1'], Date.now())
const { HTTP2_HEADER_STATUS: status } = constants

/** A server with HTTPS, whose public URL is not the one by which the test reaches it. */
async function secureApp(clock?: Pick<Clock, 'after'>) {
  const first = await issue()
  const listeners: ((next: TlsCertificate) => void)[] = []
  const log = createLog('silent')
  const http = await createHttp({
    log,
    clock,
    trustProxy: [],
    publicUrl: () => 'https://pit.example',
    certificate: {
      isPublic: false,
      current: () => first,
      onReplaced: listener => listeners.push(listener),
    },
  })
  http.get('/api/version', request => ({ http: request.raw.httpVersion, host: request.host }))
  http.post('/api/command', request => ({ given: request.body }))
  const held = holdRequests(http)
  const limits = { countUpgrade: () => {} }
  const upgrades = openUpgrades(http.server, {
    publicUrl: () => 'https://pit.example',
    log,
    limits,
  })
  const sockets = new WebSocketServer({ noServer: true })
  upgrades.handle('/live', async (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, one => one.send('hello')),
  )
  const url = await http.listen({ host: '127.0.0.1', port: 0 })
  const sessions: ClientHttp2Session[] = []
  return {
    http,
    url,
    held,
    replace: (next: TlsCertificate) => {
      for (const replaced of listeners) replaced(next)
    },
    session() {
      const session = connectHttp2(url, { ca: authority.pem })
      sessions.push(session)
      return session
    },
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy()
      for (const one of sockets.clients) one.terminate()
      await http.close()
    },
  }
}

/** Adds a route whose requests wait, as for their authentication, until `release` is emitted. */
function holdRequests(http: FastifyInstance) {
  const held = Object.assign(new EventEmitter(), { isDropped: false, isHandled: false })
  http.post('/api/held', {
    preParsing: async (_request, reply) => {
      reply.raw.once('close', () => held.emit('gone'))
      const released = once(held, 'release')
      held.emit('arrived')
      await released
      // As the limits of uploads ask.
      held.isDropped = reply.raw.destroyed && reply.raw.closed
    },
    handler: () => {
      held.isHandled = true
      return {}
    },
  })
  return held
}

async function answered(session: ClientHttp2Session, headers: Record<string, string>, body = '') {
  const stream = session.request(headers, { endStream: false }).end(body)
  const [head] = await once(stream, 'response')
  return { status: head[status], headers: head, body: JSON.parse(await text(stream)) }
}

test('HTTP/2 requests are served, under the host name that they name', async () => {
  await using app = await secureApp()
  const { body, headers } = await answered(app.session(), { ':path': '/api/version' })
  expect(body).toEqual({ http: '2.0', host: new URL(app.url).host })
  expect(headers['strict-transport-security']).toBeUndefined()
})

test('HTTP/1.1 and live sockets are served on the same port', async () => {
  await using app = await secureApp()
  const request = requestHttps(`${app.url}/api/version`, { ca: authority.pem }).end()
  const [response] = await once(request, 'response')
  expect(JSON.parse(await text(response))).toMatchObject({ http: '1.1' })
  const socket = new WebSocket(`${app.url.replace('https', 'wss')}/live`, { ca: authority.pem })
  const [message] = await once(socket, 'message')
  expect(String(message)).toBe('hello')
  socket.terminate()
})

test('a command by HTTP/2 must come from a page of this host', async () => {
  await using app = await secureApp()
  const command = (origin: string) =>
    answered(
      app.session(),
      {
        ':method': 'POST',
        ':path': '/api/command',
        'content-type': 'application/json',
        cookie: 'XSRF-TOKEN=same',
        'x-xsrf-token': 'same',
        origin,
      },
      '{"n":1}',
    )
  expect(await command(app.url)).toMatchObject({ status: 200, body: { given: { n: 1 } } })
  expect(await command('https://elsewhere.example')).toMatchObject({ status: 403 })
})

test('a body that does not arrive ends its request, not the others of the connection', async () => {
  const timeouts: (() => void)[] = []
  await using app = await secureApp({
    ...systemClock,
    after(_delayMs, act) {
      timeouts.push(act)
      return () => {}
    },
  })
  const session = app.session()
  const slow = session.request({
    ':method': 'POST',
    ':path': '/api/command',
    'content-type': 'application/json',
    'content-length': '100',
  })
  slow.on('error', () => {})
  slow.write('{')
  expect((await answered(session, { ':path': '/api/version' })).status).toBe(200)
  for (const timeout of timeouts) timeout()
  await once(slow, 'close')
  expect((await answered(session, { ':path': '/api/version' })).status).toBe(200)
})

test('a canceled request is not handled', async () => {
  await using app = await secureApp()
  const session = app.session()
  await answered(session, { ':path': '/api/version' })
  const [arrived, gone] = [once(app.held, 'arrived'), once(app.held, 'gone')]
  const given = session.request({
    ':method': 'POST',
    ':path': '/api/held',
    'content-type': 'application/json',
  })
  given.on('error', () => {})
  given.end('{}')
  await arrived
  given.close(constants.NGHTTP2_CANCEL)
  await gone
  app.held.emit('release')
  expect((await answered(session, { ':path': '/api/version' })).status).toBe(200)
  expect(app.held).toMatchObject({ isDropped: true, isHandled: false })
})

test('the next connection gets a replaced certificate', async () => {
  await using app = await secureApp()
  const next = await issue()
  app.replace(next)
  const { port } = new URL(app.url)
  const socket = connectTls({ host: '127.0.0.1', port: Number(port), ca: authority.pem })
  await once(socket, 'secureConnect')
  expect(socket.getPeerX509Certificate()?.toString()).toBe(next.cert.replace(/\s*$/, '\n'))
  socket.destroy()
})

test('the server closes although browsers keep their connections', async () => {
  const app = await secureApp()
  const session = app.session()
  await answered(session, { ':path': '/api/version' })
  const ended = once(session, 'close')
  await app.http.close()
  await ended
  expect(session.destroyed).toBe(true)
})
