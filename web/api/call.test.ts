import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { command, onNotSignedIn, read } from './call.ts'
import { CallRefused } from './callRefused.ts'

type Answer = (request: IncomingMessage, body: string, response: ServerResponse) => void

let answer: Answer
/** What was written to the console. */
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
  // A browser knows where "/api" is; Node has to be told.
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

test('a read is a GET with its input in the address', async () => {
  answer = (request, _body, response) =>
    json(response, 200, { at: request.url, how: request.method })
  expect(await read('teams.get', { teamId: 'a&b' })).toEqual({
    at: '/api/teams.get?teamId=a%26b',
    how: 'GET',
  })
  expect(await read('teams.list', {})).toMatchObject({ at: '/api/teams.list' })
})

test('a command is a POST of JSON with the token of the cookie', async () => {
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

test('a command without a token asks for one first', async () => {
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

test('a refusal arrives with code, detail, fields and wait', async () => {
  const body = {
    code: 'invalid-input',
    detail: 'files-too-many',
    fields: { name: 'missing' },
    retryAfterSeconds: 3,
  }
  answer = (_request, _body, response) => json(response, 400, body)
  expect(await refusalOf(command('teams.create', { name: '' }))).toMatchObject({
    ...body,
    isPassing: false,
  })
})

test('whoever wants to know is told that nobody is signed in', async () => {
  answer = (_request, _body, response) =>
    json(response, 401, { code: 'not-signed-in', message: '' })
  const told = vi.fn<() => void>()
  const stop = onNotSignedIn(told)
  await refusalOf(read('teams.list', {}))
  expect(told).toHaveBeenCalledTimes(1)
  stop()
  await refusalOf(read('teams.list', {}))
  expect(told).toHaveBeenCalledTimes(1)
})

// spec: ER-3
test('a call that failed is logged by name and code, without what was typed', async () => {
  answer = (_request, _body, response) =>
    json(response, 409, { code: 'already-a-member', message: 'Already there.' })
  await refusalOf(command('auth.sendCode', { email: 'marta@northline.example' }))
  expect(logged).toEqual([['auth.sendCode: already-a-member']])
  await refusalOf(read('teams.get', { teamId: 'the-team' }))
  expect(logged.at(-1)).toEqual(['teams.get: already-a-member'])
})

// spec: ER-8
test('a server that hangs up is unreachable', async () => {
  answer = request => request.socket.destroy()
  const refused = await refusalOf(read('teams.list', {}))
  expect(refused).toMatchObject({ code: 'unreachable', isPassing: true })
  expect(refused.cause).toBeDefined()
})

test.each([
  ['a page of a hotel', 200, '<h1>Welcome to our Wi-Fi</h1>'],
  ['a proxy that is angry', 502, '<h1>Bad Gateway</h1>'],
  ['a code we do not know', 418, '{"code":"teapot"}'],
  ['a name every object has', 400, '{"code":"toString"}'],
])('%s is not our server: unreachable', async (_who, status, text) => {
  answer = (_request, _body, response) => void response.writeHead(status).end(text)
  expect(await refusalOf(read('teams.list', {}))).toMatchObject({ code: 'unreachable' })
})

test('an answer that does not come in time is none', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort(new Error('late')))
  answer = () => undefined
  expect(await refusalOf(read('teams.list', {}))).toMatchObject({ code: 'unreachable' })
})

test('who gives up gets no refusal', async () => {
  const nobodyWaits = new AbortController()
  answer = () => nobodyWaits.abort()
  const reason = await read('teams.list', {}, { signal: nobodyWaits.signal }).catch(
    (thrown: unknown) => thrown,
  )
  expect(reason).not.toBeInstanceOf(CallRefused)
  expect(reason).toMatchObject({ name: 'AbortError' })
})
