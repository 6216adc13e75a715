import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Refusal } from '#contract/refusal.ts'
import { testApp } from '#testing/app.ts'
import { type LiveScene, liveScene } from '#testing/live/liveScene.ts'
import { patience } from '#testing/patience.ts'
import { addMember } from '#testing/people/addMember.ts'
import { CookieJar, createClient } from '#testing/people/client.ts'
import { type Person } from '#testing/people/person.ts'
import { callLimits } from './callLimits.ts'

const callsPerMinute = callLimits.other.limit
const upgradesPerMinute = callLimits.open.limit

let scene: LiveScene

beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

/** Sends more requests than the limit, all at once, and returns the response statuses. */
async function flood(head: string, headers: Record<string, string> = {}, app = scene.app) {
  return new Set(await floodAnswers(head, headers, app))
}

async function floodAnswers(head: string, headers: Record<string, string>, app = scene.app) {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([k, v]) => `${k}: ${v}`)
  const request = `${head} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
  const times = callsPerMinute + 400
  const { port, hostname } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  socket.write(request.repeat(times))
  let text = ''
  let statuses: string[] = []
  for await (const chunk of socket) {
    text += String(chunk)
    statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status)
    if (statuses.length === times) break
  }
  return statuses
}

/** Requests a WebSocket upgrade and returns the status. */
function upgrade(headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(`${scene.app.url.replace(/^http/, 'ws')}/live`, { headers })
  return new Promise(resolve => {
    socket.on('error', () => {})
    socket.once('unexpected-response', (request, response) => {
      resolve(response.statusCode ?? 0)
      request.destroy()
    })
    socket.once('open', () => {
      resolve(101)
      socket.terminate()
    })
  })
}

/** Sends upgrade requests, twenty at a time, until one is refused. Returns how many were accepted. */
async function upgradeUntilRefused(headers: Record<string, string>): Promise<number> {
  let [isRefused, accepted] = [false, 0]
  const worker = async () => {
    while (!isRefused) {
      const status = await upgrade(headers)
      if (status === 101) accepted += 1
      isRefused ||= status === 429
    }
  }
  await Promise.all(Array.from({ length: 20 }, worker))
  return accepted
}

/** Signs in another browser of the same person. */
async function signInAgain({ email }: Person) {
  const jar = new CookieJar()
  const call = createClient(scene.app.url, jar)
  await call.auth.sendCode({ email })
  await call.auth.verifyCode({ email, code: await scene.app.mails.nextCode(email) })
  return { call, jar }
}

const madeUp = () => ({ cookie: `pitboard_login=${randomUUID().repeat(2).slice(0, 43)}` })

test('a flood from the network of a team does not stop its ABORT', async () => {
  const { session } = await scene.newSession()
  expect(await flood('HEAD /api/openapi.json')).toEqual(new Set(['200', '429']))

  const abort = { sessionId: session.id, type: 'Abort', commandId: randomUUID() } as const
  expect(await scene.ana.call.messages.set(abort)).toMatchObject({ type: 'Abort' })
  expect((await scene.ana.call.teams.list()).length).toBeGreaterThan(0)
})

test('visits of pages are limited, apart from calls', async () => {
  const answers = await flood('GET /teams')
  expect(answers).toContain('429')
  expect((await fetch(`${scene.app.url}/healthz`)).status).toBe(200)
  expect((await scene.ana.call.teams.list()).length).toBeGreaterThan(0)
})

test('development pages are limited as calls', async () => {
  await using app = await testApp({ dev: true, devToken: 'token-of-this-server' })
  expect(await flood('GET /dev/mailbox.json', {}, app)).toEqual(new Set(['404', '429']))
})

test('requests with forged cookies are counted by network', async () => {
  expect(await flood('GET /api/users.me', madeUp())).toEqual(new Set(['401', '429']))
})

test('a flood of calls uses up no message limit, own or others’', async () => {
  const { session, team } = await scene.newSession()
  const { leo } = scene
  // A separate user: what this flood consumes would be missing in later tests.
  const mia = await scene.app.person('Mia')
  await addMember(scene.ana, team.id, mia)
  const cookie = { cookie: mia.jar.header }
  expect(await flood('HEAD /api/openapi.json', cookie)).toEqual(new Set(['200', '429']))
  const send = { sessionId: session.id, type: 'Pit' } as const
  await mia.call.messages.set({ ...send, commandId: randomUUID() })
  await leo.call.messages.set({ ...send, commandId: randomUUID() })
})

test('messages of one login are limited, and allowed again soon', async () => {
  const { session } = await scene.newSession()
  const kim = await scene.app.person('Kim')
  const perMinute = callLimits.ordinary.limit
  const send = async () => {
    const set = kim.call.messages.set({
      sessionId: session.id,
      type: 'Much too loud' as 'Pit',
      commandId: randomUUID(),
    })
    return set.then(String, ({ code, retryAfterSeconds }: Refusal) => ({ code, retryAfterSeconds }))
  }
  const answers = []
  for (let n = 0; n < 2 * perMinute; n++) answers.push(await send())
  expect(answers.slice(0, perMinute)).toEqual(Array(perMinute).fill({ code: 'invalid-input' }))
  expect(answers).toContainEqual({ code: 'too-many', retryAfterSeconds: 1 })
  await expect.poll(send, { timeout: 5000 * patience }).toEqual({ code: 'invalid-input' })
})

test('all logins of a user together have the allowance of two', async () => {
  const { session } = await scene.newSession()
  const noor = await scene.app.person('Noor')
  const perMinute = callLimits.ordinary.limit
  const allowed = []
  for (const { call } of [noor, await signInAgain(noor), await signInAgain(noor)]) {
    let count = 0
    const send = { sessionId: session.id, type: 'Much too loud' as 'Pit' } as const
    for (let n = 0; n < perMinute; n++) {
      const set = call.messages.set({ ...send, commandId: randomUUID() })
      const code = await set.then(String, (refusal: Refusal) => refusal.code)
      if (code === 'invalid-input') count += 1
    }
    allowed.push(count)
  }
  expect(allowed).toEqual([perMinute, perMinute, expect.any(Number)])
  expect(allowed[2]).toBeLessThan(60)
})

test('WebSockets are limited by login, or by network without one', async () => {
  const leo = { cookie: scene.leo.jar.header }
  await upgradeUntilRefused(leo)
  expect(await upgrade({ cookie: scene.ana.jar.header })).toBe(101)

  await upgradeUntilRefused(madeUp())
  expect(await upgrade({ cookie: scene.ana.jar.header })).toBe(101)
})

test('a known browser that is signed out is counted alone, those of a person as two', async () => {
  const kai = await scene.app.person('Kai')
  const again = [await signInAgain(kai), await signInAgain(kai)]
  await floodAnswers('HEAD /api/openapi.json', {})
  const allowed = []
  for (const { call, jar } of [kai, ...again]) {
    await call.auth.signOut()
    expect(jar.get('pitboard_login')).toBeUndefined()
    const answers = await floodAnswers('HEAD /api/openapi.json', { cookie: jar.header })
    allowed.push(answers.filter(status => status === '200').length)
  }
  const [first = 0, second = 0, third = 0] = allowed
  expect(Math.min(first, second)).toBeGreaterThanOrEqual(callsPerMinute)
  expect(third).toBeLessThan(callsPerMinute)
})

test('calls of one class are counted by themselves, costly ones least often', async () => {
  const { session } = await scene.newSession()
  const { call } = await scene.app.person('Max')
  const answers = async (times: number, ask: () => Promise<unknown>) => {
    const codes = []
    for (let n = 0; n < times; n++)
      codes.push(
        await ask().then(
          () => 'ok',
          (refusal: Refusal) => refusal.code,
        ),
      )
    return codes
  }
  const sessionId = session.id
  const { limit } = callLimits.costly
  const timedAgain = await answers(limit + 1, () => call.laps.timeAgain({ sessionId }))
  expect(timedAgain).toEqual([...Array(limit).fill('not-a-member'), 'too-many'])
  expect(await answers(1, () => call.notifications.test())).not.toContain('too-many')
})

test('signing in again allows no more WebSockets than two logins', {
  timeout: 60_000 * patience,
}, async () => {
  const zoe = await scene.app.person('Zoe')
  const jars = [zoe.jar]
  for (let n = 0; n < 4; n++) jars.push((await signInAgain(zoe)).jar)
  const accepted = []
  for (const { header } of jars) accepted.push(await upgradeUntilRefused({ cookie: header }))
  const [first = 0, second = 0, ...others] = accepted
  expect(Math.min(first, second)).toBeGreaterThanOrEqual(upgradesPerMinute)
  expect(Math.max(...others)).toBeLessThan(upgradesPerMinute)
})

test('uploads without a login are refused before they are parsed', async () => {
  await using app = await testApp()
  const headers = { 'content-length': '0', 'content-type': 'multipart/form-data; boundary=x' }
  expect(await flood('POST /api/files.upload', headers, app)).toEqual(new Set(['401', '429']))
})

test('requests that match no route are counted', async () => {
  await using app = await testApp()
  const path = `/api/v1/sessions/${'x'.repeat(201)}/messages.csv`
  expect(await flood(`GET ${path}`, {}, app)).toEqual(new Set(['404', '429']))
})

test('requests on reset connections log no error', {
  timeout: 40_000 * patience,
}, async () => {
  const lines: { level: number; msg: string }[] = []
  const logTo = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().trim().split('\n')) lines.push(JSON.parse(line))
      done()
    },
  })
  await using app = await testApp({ logLevel: 'info' }, logTo)
  const { port, hostname } = new URL(app.url)
  const jar = new CookieJar()
  jar.store(await fetch(`${app.url}/api/auth.login`))
  const body = JSON.stringify({ email: 'someone@example.com', code: '000000' })
  const post = [
    'POST /api/auth.verifyCode HTTP/1.1',
    'Host: localhost',
    `Cookie: ${jar.header}`,
    `X-XSRF-TOKEN: ${jar.get('XSRF-TOKEN')}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
  const get = 'GET /api/auth.login HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const connections = 200
  for (let n = 0; n < connections; n++) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write(get + get + post + get + post)
    await once(socket, 'data')
    socket.resetAndDestroy()
  }
  const answered = () => lines.filter(({ msg }) => msg === 'answered').length
  await expect.poll(answered, { timeout: 20_000 * patience }).toBeGreaterThan(connections)
  expect(lines.filter(({ level }) => level >= 40)).toEqual([])
})

test('without a login all addresses of an IPv6 /48 count together', async () => {
  await using app = await testApp({ trustProxy: ['127.0.0.1'] })
  const floodFrom = (address: string) =>
    floodAnswers('HEAD /api/openapi.json', { 'x-forwarded-for': address }, app)
  await floodFrom('2001:db8:1:1::1')
  const others = await floodFrom('2001:db8:1:2::1')
  expect(others.filter(status => status === '200').length).toBeLessThan(callsPerMinute / 2)
  expect(await floodFrom('2001:db8:2:1::1')).toContain('200')
})
