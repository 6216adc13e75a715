import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthServer, authServer } from '#testing/people/authServer.ts'
import { unusedEmail } from '#testing/people/logins.ts'

let server: AuthServer

beforeAll(async () => {
  server = await authServer()
})
afterAll(() => server[Symbol.asyncDispose]())

describe('the cookie of the browser that requested a code', () => {
  const asked = (at: AuthServer, cookie: Record<string, string> = {}) =>
    at.http.inject({
      method: 'POST',
      url: '/api/auth.sendCode',
      headers: { 'x-xsrf-token': 'same' },
      cookies: { 'XSRF-TOKEN': 'same', ...cookie },
      payload: { email: unusedEmail() },
    })

  test('is HttpOnly and SameSite, and expires after an hour', async () => {
    const [cookie] = (await asked(server)).cookies
    expect(cookie).toMatchObject({ name: 'pitboard_code', httpOnly: true, sameSite: 'Lax' })
    expect(cookie).toMatchObject({ path: '/', maxAge: 3600 })
    expect(cookie?.value).toMatch(/^[\w-]{43}$/)
  })

  test('with HTTPS is Secure, and bound to the host by its name prefix', async () => {
    await using secure = await authServer({ publicUrl: 'https://pitboard.example' })
    const [cookie] = (await asked(secure)).cookies
    expect(cookie).toMatchObject({ name: '__Host-pitboard_code', secure: true, httpOnly: true })
    expect(cookie).not.toHaveProperty('domain')
  })

  test('stays the same for further codes, and is replaced if invalid', async () => {
    const { value = '' } = (await asked(server)).cookies[0] ?? {}
    const again = await asked(server, { pitboard_code: value })
    expect(again.cookies[0]?.value).toBe(value)
    const other = await asked(server, { pitboard_code: 'x' })
    expect(other.cookies[0]?.value).toMatch(/^[\w-]{43}$/)
  })

  test('is stored only as a hash, and cleared by signing in', async () => {
    const email = unusedEmail()
    const code = await server.codeFor(email)
    const { jar } = server.browserOf(email)
    const id = jar.get('pitboard_code') ?? ''
    const rows = await server.db.selectFrom('login_codes').select('browser_hash').execute()
    expect(rows.map(row => row.browser_hash.toString('latin1')).join()).not.toContain(id)
    await server.browserOf(email).call.auth.verifyCode({ email, code })
    expect(jar.get('pitboard_code')).toBeUndefined()
  })
})

test('a device that sends the cookie gets a token', async () => {
  const email = unusedEmail()
  const post = (name: string, cookie: string, body: object) =>
    fetch(`${server.url}/api/auth.${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-xsrf-token': 'own', cookie },
      body: JSON.stringify(body),
    })
  const sent = await post('sendCode', 'XSRF-TOKEN=own', { email })
  const [cookie = ''] = sent.headers.getSetCookie().map(line => line.split(';')[0])
  const code = await server.mails.nextCode(email)
  const body = { email, code, device: 'GPS logger' }
  const answer = await post('verifyCode', `XSRF-TOKEN=own; ${cookie}`, body)
  expect(await answer.json()).toMatchObject({ token: expect.any(String), user: { email } })
})
