import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#testing/app.ts'
import { fix } from '#testing/live/liveScene.ts'
import { CookieJar } from '#testing/people/client.ts'
import { createTeam } from '#testing/people/createTeam.ts'

import { systemClock } from '../clock.ts'
import { createReadiness } from '../readiness.ts'

const token = 'a-token-for-prometheus'
const lines: string[] = []
let app: TestApp

beforeAll(async () => {
  app = await testApp(
    { logLevel: 'trace', metricsToken: token, trustProxy: ['127.0.0.1'] },
    { write: line => void lines.push(line) },
  )
})
afterAll(() => app[Symbol.asyncDispose]())

test('a running server reports healthy and ready', async () => {
  const health = await fetch(`${app.url}/healthz`)
  expect([health.status, await health.json()]).toEqual([200, { ok: true }])
  const ready = await fetch(`${app.url}/readyz`)
  expect([ready.status, await ready.json()]).toEqual([200, { database: true, bus: true }])
})

test('an unreachable or silent database is reported, with one ping for many requests', async () => {
  const bus = { connected: false } as never
  let pings = 0
  const away = createReadiness(
    {
      ping: async () => {
        pings += 1
        throw new Error('away')
      },
    },
    () => bus,
    systemClock,
  )
  const answers = await Promise.all(Array.from({ length: 50 }, () => away()))
  expect(answers[49]).toEqual({ database: false, bus: false })
  expect(pings).toBe(1)
  const silent = createReadiness({ ping: () => new Promise(() => {}) }, () => bus, systemClock)
  expect(await silent()).toMatchObject({ database: false })
})

test('metrics require the token and count fixes, messages and deliveries', async () => {
  for (const authorization of ['', 'Bearer', 'Bearer wrong', `Basic ${token}`]) {
    const refused = await fetch(`${app.url}/metrics`, { headers: { authorization } })
    expect(refused.status).toBe(401)
  }
  const before = await figures()
  expect(before).toMatchObject({ pitboard_database_up: 1, pitboard_bus_up: 1 })
  expect(before['nodejs_eventloop_lag_mean_seconds']).toBeGreaterThan(0)

  const { session, ana, leo } = await stint()
  const [pit, car] = [await ana.connect(), await leo.connect()]
  pit.send({ t: 'subscribe', room: `session:${session.id}` })
  car.send({ t: 'drive', session: session.id })
  await Promise.all([pit.next('snapshot'), car.next('snapshot')])
  car.send(fix())
  await pit.next('fix')
  await ana.call.messages.set({ sessionId: session.id, type: 'Pit', commandId: randomUUID() })
  await car.next('message')
  car.send({ t: 'receipt', version: 1, stage: 'shown', at: Date.now() })
  await pit.next('receipt')

  const after = await figures()
  const grown = (name: string) => (after[name] ?? 0) - (before[name] ?? 0)
  expect(after).toMatchObject({ pitboard_connections: 2, pitboard_rooms: 3 })
  expect(grown('pitboard_fixes_total')).toBe(1)
  expect(grown('pitboard_message_shown_seconds_count')).toBe(1)
  // The fix goes to one connection, the message and its receipt to both.
  expect(grown('pitboard_deliveries_total')).toBe(5)
})

test('metrics count the fixes over the rate limit', async () => {
  const before = await figures()
  const { session, leo } = await stint()
  const car = await (await leo.connect()).drive(session.id)
  const sent = 250
  const at = Date.now() - sent
  for (let n = 0; n < sent; n++) car.send(fix({ at: at + n }))
  await car.roundTrip()

  const after = await figures()
  const grown = (name: string) => (after[name] ?? 0) - (before[name] ?? 0)
  expect(grown('pitboard_fixes_over_limit_total')).toBeGreaterThan(0)
  expect(grown('pitboard_fixes_total') + grown('pitboard_fixes_over_limit_total')).toBe(sent)
})

test('without a configured token /metrics does not exist', async () => {
  await using quiet = await testApp()
  expect((await fetch(`${quiet.url}/metrics`)).status).toBe(404)
})

test('the log records requests and errors, but no personal data', async () => {
  lines.length = 0
  const { session, ana, leo } = await stint()
  const line = await leo.connect()
  line.socket.send('pit!')
  await line.closed()
  const { code } = await sendCode('Prost', 'alain@paddock.example')
  await post('auth.verifyCode', { email: 'alain@paddock.example', code: '000000' })
  await post('auth.verifyCode', { email: 'alain@paddock.example', code })
  await post('auth.sendCode', { email: 'not an address of Prost' })
  await post('teams.create', '{"name": "Prost')
  await fetch(`${app.url}/api/users.get?userId=alain@paddock.example`)
  await fetch(`${app.url}/api/nothing/alain@paddock.example`)
  await app.database.db.schema.alterTable('messages').renameTo('lost').execute()
  const failed = ana.call.messages.log({ sessionId: session.id })
  await expect(failed).rejects.toMatchObject({ code: 'server-error' })
  await app.database.db.schema.alterTable('lost').renameTo('messages').execute()

  const records = lines.map(each => JSON.parse(each) as Record<string, unknown>)
  const answered = records.filter(({ msg }) => msg === 'answered')
  expect(answered.length).toBeGreaterThan(10)
  expect(new Set(answered.map(({ reqId }) => reqId)).size).toBe(answered.length)
  expect(records.filter(({ msg }) => msg === 'unexpected error')).toMatchObject([{ level: 50 }])
  const written = lines.join('')
  const secrets = [ana, leo].flatMap(({ email, jar }) => [
    email,
    ...jar.cookiesFor(app.url).map(({ value }) => value),
  ])
  const personal = ['Prost', 'alain', 'paddock', code, '203.0.113.7', '127.0.0.1', 'Tester']
  expect([...secrets, ...personal].filter(each => written.includes(each))).toEqual([])
})

async function stint() {
  const [ana, leo] = [await app.person('Ana'), await app.person('Leo')]
  const team = await createTeam(ana, [leo], 'Night Owls')
  const session = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  return { session, ana, leo }
}

async function sendCode(lastName: string, email: string) {
  await post('auth.sendCode', { firstName: 'Alain', lastName, email })
  return { code: await app.mails.nextCode(email) }
}

const jar = new CookieJar()

/** Sends a request as a trusted proxy does: with the client's address in a header. */
async function post(call: string, body: unknown) {
  const answer = await fetch(`${app.url}/api/${call}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': '203.0.113.7',
      'x-xsrf-token': 'x'.repeat(43),
      cookie: [jar.header, `XSRF-TOKEN=${'x'.repeat(43)}`].filter(Boolean).join('; '),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  jar.store(answer)
  return answer
}

async function figures(): Promise<Record<string, number>> {
  const answer = await fetch(`${app.url}/metrics`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const lines = (await answer.text()).split('\n').filter(line => !line.startsWith('#'))
  return Object.fromEntries(
    lines.map(line => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])]),
  )
}
