import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayMs } from '#contract/shared/durations.ts'
import { type AuthServer, authServer } from '#testing/people/authServer.ts'
import {
  cookieName,
  get,
  hashOf,
  rowOf,
  setLoginExpiry,
  signedIn,
  unusedEmail,
} from '#testing/people/logins.ts'

let server: AuthServer

beforeAll(async () => {
  server = await authServer()
})
afterAll(() => server[Symbol.asyncDispose]())

describe('a browser login', () => {
  // spec: ER-5
  test('is authenticated by its cookie', async () => {
    const ana = await signedIn(server)
    expect(await ana.call.users.me()).toEqual(ana.user)
    await expect(server.browser().call.users.me()).rejects.toMatchObject({ code: 'not-signed-in' })
  })

  test('has a token of 256 bits, stored only as a hash', async () => {
    const ana = await signedIn(server)
    const token = ana.jar.get(cookieName) ?? ''
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const row = await rowOf(server, ana)
    expect(row.token_hash.equals(hashOf(token))).toBe(true)
    const rows = await server.db.selectFrom('logins').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('has no token in the response', async () => {
    expect(await signedIn(server)).not.toHaveProperty('token')
  })

  test('is not authenticated by a modified, empty or malformed token', async () => {
    const ana = await signedIn(server)
    const token = ana.jar.get(cookieName) ?? ''
    const changed = (token.startsWith('A') ? 'B' : 'A') + token.slice(1)
    for (const wrong of [changed, '', 'x', `${token}x`, "' or 1=1 --"]) {
      const answer = await get(server, 'users.me', { cookie: `${cookieName}=${wrong}` })
      expect(answer.status).toBe(401)
    }
    expect(
      (await get(server, 'users.me', { cookie: `a=b; ${cookieName}=${token}; c=d` })).status,
    ).toBe(200)
  })

  test('is not authenticated after it has expired', async () => {
    const ana = await signedIn(server)
    await setLoginExpiry(server, (await rowOf(server, ana)).id, '-1 second')
    await expect(ana.call.users.me()).rejects.toMatchObject({ code: 'not-signed-in' })
    expect(await ana.call.auth.login()).toMatchObject({ login: null })
  })

  test('clears an expired cookie on the next login query', async () => {
    const answer = await get(server, 'auth.login', { cookie: `${cookieName}=${'A'.repeat(43)}` })
    expect(answer.headers.getSetCookie().join()).toMatch(
      /pitboard_login=;.*Expires=Thu, 01 Jan 1970/,
    )
  })
})

describe('the login cookie', () => {
  const loginCookie = (answer: { headers: Record<string, unknown> }) =>
    [answer.headers['set-cookie']].flat().find(line => /pitboard_login=/.test(String(line)))

  const signIn = (at: AuthServer) =>
    at.http.inject({
      method: 'POST',
      url: '/api/auth.signInAnonymously',
      headers: { cookie: 'XSRF-TOKEN=same', 'x-xsrf-token': 'same' },
      payload: {},
    })

  test('over HTTP is HttpOnly and SameSite', async () => {
    const cookie = loginCookie(await signIn(server))
    expect(cookie).toMatch(/^pitboard_login=[\w-]{43};/)
    expect(cookie).toMatch(/; HttpOnly/)
    expect(cookie).toMatch(/; SameSite=Lax/)
    expect(cookie).toMatch(/; Path=\/(;|$)/)
    expect(cookie).not.toMatch(/Secure|Domain/)
    const expires = Date.parse(/Expires=([^;]+)/.exec(String(cookie))?.[1] ?? '')
    expect(Math.abs(expires - Date.now() - 30 * dayMs)).toBeLessThan(60_000)
  })

  test('over HTTPS is Secure, and bound to the host by its name prefix', async () => {
    await using secure = await authServer({ publicUrl: 'https://pitboard.example' })
    const cookie = loginCookie(await signIn(secure))
    expect(cookie).toMatch(/^__Host-pitboard_login=[\w-]{43};/)
    expect(cookie).toMatch(/; HttpOnly/)
    expect(cookie).toMatch(/; Secure/)
    expect(cookie).toMatch(/; Path=\/(;|$)/)
    expect(cookie).not.toMatch(/Domain/)
    const token = /=([\w-]+)/.exec(String(cookie))?.[1] ?? ''
    const me = (name: string) =>
      secure.http.inject({ url: '/api/users.me', headers: { cookie: `${name}=${token}` } })
    expect((await me('__Host-pitboard_login')).statusCode).toBe(200)
    expect((await me('pitboard_login')).statusCode).toBe(401)
  })
})

describe('a login in use', () => {
  // spec: CO-9
  test('is extended, and so is its cookie', async () => {
    const ana = await signedIn(server)
    const { id } = await rowOf(server, ana)
    await setLoginExpiry(server, id, '5 days')
    const answer = await get(server, 'auth.login', { cookie: ana.jar.header })
    const { login } = (await answer.json()) as { login: { expiresAt: number } }
    expect(Math.abs(login.expiresAt - Date.now() - 30 * dayMs)).toBeLessThan(60_000)
    expect((await rowOf(server, ana)).expires_at.getTime()).toBe(login.expiresAt)
    const [cookie = ''] = answer.headers.getSetCookie().filter(line => line.startsWith(cookieName))
    expect(cookie).toContain(ana.jar.get(cookieName))
    expect(cookie).toContain(new Date(login.expiresAt).toUTCString())
  })

  test('is extended at most once an hour', async () => {
    const ana = await signedIn(server)
    const { id } = await rowOf(server, ana)
    await setLoginExpiry(server, id, '29 days 23 hours 1 minute')
    const before = await rowOf(server, ana)
    const answer = await get(server, 'auth.login', { cookie: ana.jar.header })
    expect(await answer.json()).toMatchObject({ login: { expiresAt: before.expires_at.getTime() } })
    expect(await rowOf(server, ana)).toEqual(before)
    expect(answer.headers.getSetCookie().join()).not.toContain(cookieName)
  })

  test('is not extended by other calls', async () => {
    const ana = await signedIn(server)
    await setLoginExpiry(server, (await rowOf(server, ana)).id, '5 days')
    const before = await rowOf(server, ana)
    await ana.call.users.me()
    expect(await rowOf(server, ana)).toEqual(before)
  })
})

describe('a device login', () => {
  test('is authenticated by its token for a year, without a cookie', async () => {
    const { token, jar, user, expiresAt } = await device()
    expect(jar.get(cookieName)).toBeUndefined()
    expect(Math.abs(expiresAt - Date.now() - 365 * dayMs)).toBeLessThan(60_000)
    const answer = await get(server, 'users.me', { authorization: `Bearer ${token}` })
    expect(await answer.json()).toEqual(user)
  })

  test('keeps its expiry after a login query', async () => {
    const { token, expiresAt } = await device()
    const answer = await get(server, 'auth.login', { authorization: `Bearer ${token}` })
    expect(await answer.json()).toMatchObject({ login: { expiresAt } })
    expect(answer.headers.getSetCookie().join()).not.toContain(cookieName)
  })

  test('with a wrong token is refused, even with a valid browser cookie', async () => {
    const ana = await signedIn(server)
    for (const authorization of ['Bearer x', 'Bearer', 'Basic YTpi', `Bearer ${'A'.repeat(43)}`]) {
      const answer = await get(server, 'users.me', { authorization, cookie: ana.jar.header })
      expect(answer.status).toBe(401)
    }
  })
})

async function device() {
  const email = unusedEmail()
  const browser = server.browserOf(email)
  const code = await server.codeFor(email)
  const login = await browser.call.auth.verifyCode({ email, code, device: 'GPS logger' })
  return { ...browser, ...login, token: login.token ?? '' }
}
