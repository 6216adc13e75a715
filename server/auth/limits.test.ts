import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthServer, authServer } from '#testing/authServer.ts'
import { codesPerNetwork, networkOf } from './limits.ts'

let server: AuthServer

beforeAll(async () => {
  server = await authServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const someone = () => `someone-${randomUUID()}@example.com`

test('the sixth code of an address within a quarter of an hour is refused, with when to come back', async () => {
  const email = someone()
  const { call } = server.browser()
  for (let times = 0; times < 5; times += 1) await call.auth.sendCode({ email })
  const refusal = await call.auth.sendCode({ email }).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'too-many', status: 429 })
  const { retryAfterSeconds } = refusal as { retryAfterSeconds: number }
  expect(retryAfterSeconds).toBeGreaterThan(0)
  expect(retryAfterSeconds).toBeLessThanOrEqual(15 * 60)
  await call.auth.sendCode({ email: someone() })
})

test('the twenty-first try of an address is refused before the code is looked at', async () => {
  const email = someone()
  const { call } = server.browser()
  for (let times = 0; times < 20; times += 1) {
    await expect(call.auth.verifyCode({ email, code: '000000' })).rejects.toMatchObject({
      code: 'code-dead',
    })
  }
  const code = await server.codeFor(email)
  await expect(call.auth.verifyCode({ email, code })).rejects.toMatchObject({ code: 'too-many' })
})

test('no address of a person or a network stands in a counter', async () => {
  const email = someone()
  await server.browser().call.auth.sendCode({ email })
  const rows = await server.db.selectFrom('rate_counts').select('what').execute()
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toMatch(/example\.com|127\.0\.0\.1/)
})

test('a network gets so many codes and anonymous users; another network is not touched', async () => {
  await using open = await authServer({
    host: '0.0.0.0',
    loopback: false,
    publicUrl: 'https://pitboard.example',
    trustProxy: ['127.0.0.1'],
    mailsStay: true,
  })
  const from = (ip: string, path: string, body: object) =>
    open.http.inject({
      method: 'POST',
      url: `/api/${path}`,
      headers: { 'x-forwarded-for': ip, authorization: 'Bearer none' },
      payload: body,
    })
  for (let times = 0; times < codesPerNetwork; times += 1) {
    const answer = await from('203.0.113.7', 'auth.sendCode', { email: someone() })
    expect(answer.statusCode).toBe(200)
  }
  const answer = await from('203.0.113.7', 'auth.sendCode', { email: someone() })
  expect(answer.json()).toMatchObject({ code: 'too-many' })
  expect(answer.headers['retry-after']).toBeDefined()
  const other = await from('203.0.113.8', 'auth.sendCode', { email: someone() })
  expect(other.statusCode).toBe(200)
  const anonymous = await from('203.0.113.7', 'auth.signInAnonymously', {})
  expect(anonymous.statusCode).toBe(200)
})

describe('a network is', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('of %s: %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network)
  })
})
