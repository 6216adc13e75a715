import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { command, onNotSignedIn, read } from './call.ts'
import { CallRefused } from './callRefused.ts'

type Answer = (request: IncomingMessage, body: string, response: ServerResponse) => void

let answer: Answer
/** Arguments of each console.error call. */
let logged: unknown[][]
const server = createServer((request, response) => {
  let body = ''
  request.on('data', chunk => {
    body += chunk
  })
  request.on('end', () => answer(request, body, response))
})

beforeEach(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { fetch } = globalThis
  // Browsers resolve "/api" against the page; Node needs an absolute URL.
  vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
    fetch(new URL(path, `http://127.0.0.1:${port}`), init),
  )
  vi.stubGlobal('document', { cookie: 'XSRF-TOKEN=abc' })
  logged = []
  vi.spyOn(console, 'error').mockImplementation((...words) => logged.push(words))
})

afterEach(async () => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

function json(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function refusalOf(call: Promise<unknown>): Promise<CallRefused> {
  const reason = await call.then(
    () => 'nothing',
    (thrown: unknown) => thrown,
  )
  expect(reason).toBeInstanceOf(CallRefused)
  return reason as CallRefused
}

test('a read is a GET request with its input in the query string', async () => {
  answer = (request, _body, response) =>
    json(response, 200, { at: request.url, how: request.method })
  expect(await read('teams.get', { teamId: 'a&b' })).toEqual({
    at: '/api/teams.get?teamId=a%26b',
    how: 'GET',
  })
  expect(await read('teams.list', {})).toMatchObject({ at: '/api/teams.list' })
})

test('a command is a POST request with a JSON body and the token of the cookie', async () => {
  answer = ({ method, url, headers }, body, response) =>
    json(response, 200, {
      method,
      url,
      token: headers['x-xsrf-token'],
      type: headers['content-type'],
      body,
    })
  expect(await command('teams.create', { name: 'Night Owls' })).toEqual({
    method: 'POST',
    url: '/api/teams.create',
    token: 'abc',
    type: 'application/json',
    body: '{"name":"Night Owls"}',
  })
})

test('a command without an XSRF token requests one first', async () => {
  vi.stubGlobal('document', { cookie: '' })
  const asked: (string | undefined)[] = []
  answer = ({ url, headers }, _body, response) => {
    asked.push(`${url} ${String(headers['x-xsrf-token'])}`)
    if (url === '/api/auth.login') vi.stubGlobal('document', { cookie: 'XSRF-TOKEN=new' })
    json(response, 200, {})
  }
  await command('auth.signOut', {})
  expect(asked).toEqual(['/api/auth.login undefined', '/api/auth.signOut new'])
})

test('a refused call throws the sentences of its detail and fields', async () => {
  const body = {
    code: 'invalid-input',
    detail: 'files-too-many',
    fields: { name: 'missing', email: 'of-a-newer-server' },
    retryAfterSeconds: 3,
  }
  answer = (_request, _body, response) => json(response, 400, body)
  expect(await refusalOf(command('teams.create', { name: '' }))).toMatchObject({
    code: 'invalid-input',
    detail: 'This team has 200 files. Delete one first.',
    fields: { name: 'Fill this in.', email: 'This is not valid.' },
    retryAfterSeconds: 3,
    mayRetrySoon: false,
  })
})

test('listeners are notified when a call is refused with not-signed-in', async () => {
  answer = (_request, _body, response) =>
    json(response, 401, { code: 'not-signed-in', message: '' })
  const listener = vi.fn<() => void>()
  const stop = onNotSignedIn(listener)
  await refusalOf(read('teams.list', {}))
  expect(listener).toHaveBeenCalledTimes(1)
  stop()
  await refusalOf(read('teams.list', {}))
  expect(listener).toHaveBeenCalledTimes(1)
})

// spec: ER-3
test('a failed call is logged with its name and code, without its input', async () => {
  answer = (_request, _body, response) =>
    json(response, 409, { code: 'already-a-member', message: 'Already there.' })
  await refusalOf(command('auth.sendCode', { email: 'marta@northline.example' }))
  expect(logged).toEqual([['auth.sendCode: already-a-member']])
  await refusalOf(read('teams.get', { teamId: 'the-team' }))
  expect(logged.at(-1)).toEqual(['teams.get: already-a-member'])
})

// spec: ER-8
test('a connection closed by the server counts as unreachable', async () => {
  answer = request => request.socket.destroy()
  const refused = await refusalOf(read('teams.list', {}))
  expect(refused).toMatchObject({ code: 'unreachable', mayRetrySoon: true })
  expect(refused.cause).toBeDefined()
})

test.each([
  ['a captive portal', 200, '<h1>Welcome to our Wi-Fi</h1>'],
  ['an error page of a proxy', 502, '<h1>Bad Gateway</h1>'],
  ['an unknown code', 418, '{"code":"teapot"}'],
  ['a name inherited from Object.prototype', 400, '{"code":"toString"}'],
])('a response from %s counts as unreachable', async (_who, status, text) => {
  answer = (_request, _body, response) => void response.writeHead(status).end(text)
  expect(await refusalOf(read('teams.list', {}))).toMatchObject({ code: 'unreachable' })
})

test('a response timeout counts as unreachable', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort(new Error('late')))
  answer = () => undefined
  expect(await refusalOf(read('teams.list', {}))).toMatchObject({ code: 'unreachable' })
})

test('an aborted call rejects with AbortError, not with a refusal', async () => {
  const abort = new AbortController()
  answer = () => abort.abort()
  const reason = await read('teams.list', {}, { signal: abort.signal }).catch(
    (thrown: unknown) => thrown,
  )
  expect(reason).not.toBeInstanceOf(CallRefused)
  expect(reason).toMatchObject({ name: 'AbortError' })
})
