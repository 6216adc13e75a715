import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthServer, authServer } from '#testing/people/authServer.ts'
import { unusedEmail } from '#testing/people/logins.ts'
import { oauthStateCookie, visitor } from '#testing/people/visitor.ts'

let server: AuthServer

beforeAll(async () => {
  server = await authServer({ withoutSmtp: true })
})
afterAll(() => server[Symbol.asyncDispose]())

describe('sign-in with an external account', () => {
  // spec: RT-17 CA-4
  test('ends at /new, signed in with the verified address and the names', async () => {
    const [browser, email] = [visitor(server), unusedEmail()]
    const answer = await browser.signInAs({ email, email_verified: 'on' })
    expect(answer).toMatchObject({ status: 302, to: `${server.url}/new` })
    expect(browser.jar.get(oauthStateCookie)).toBeUndefined()
    expect(await browser.call.users.me()).toMatchObject({
      email,
      firstName: 'Ana',
      lastName: 'Prost',
      kind: 'account',
      isAnonymous: false,
    })
  })

  test('signs in the same user as a code', async () => {
    const [browser, other, email] = [visitor(server), server.browser(), unusedEmail()]
    const code = await server.codeFor(email, { firstName: 'Anna', lastName: 'Proust' }, other)
    const { user } = await other.call.auth.verifyCode({ email, code })
    await browser.signInAs({ email: email.toUpperCase(), email_verified: 'on' })
    expect(await browser.call.users.me()).toEqual(user)
  })

  test('keeps the anonymous user and ends its previous login', async () => {
    const [browser, email] = [visitor(server), unusedEmail()]
    const { user } = await browser.call.auth.signInAnonymously()
    const before = browser.jar.get('pitboard_login')
    await browser.signInAs({ email, email_verified: 'on' })
    expect(await browser.call.users.me()).toMatchObject({ id: user.id, email })
    const answer = await fetch(`${server.url}/api/users.me`, {
      headers: { cookie: `pitboard_login=${before}` },
    })
    expect(answer.status).toBe(401)
  })

  test('sends a new state, nonce and challenge each time', async () => {
    const [one, two] = [await visitor(server).startGoogle(), await visitor(server).startGoogle()]
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one.searchParams.get(name)?.length).toBeGreaterThan(20)
      expect(one.searchParams.get(name)).not.toBe(two.searchParams.get(name))
    }
    expect(one.searchParams.get('code_challenge_method')).toBe('S256')
    expect(one.searchParams.get('redirect_uri')).toBe(`${server.url}/api/auth/google/callback`)
  })

  test('redirects to the host name of the callback first', async () => {
    const { port } = new URL(server.url)
    const answer = await fetch(`http://127.0.0.1:${port}/api/auth/google`, { redirect: 'manual' })
    expect(answer.headers.get('location')).toBe(`${server.url}/api/auth/google?moved=once`)
  })
})

describe('the cookie with the OAuth state', () => {
  test('is HttpOnly and expires after ten minutes', async () => {
    const answer = await fetch(`${server.url}/api/auth/google`, { redirect: 'manual' })
    const cookie = answer.headers.getSetCookie().find(line => line.startsWith(oauthStateCookie))
    expect(cookie).toMatch(/; Max-Age=600;/)
    expect(cookie).toMatch(/; HttpOnly/)
    expect(cookie).toMatch(/; SameSite=Lax/)
  })
})

describe('external sign-in is not set up', () => {
  test.each([
    ['where mails go out', {}],
    ['where DEV is off', { withoutSmtp: true, dev: false }],
    ['on a server with a public address', { withoutSmtp: true, publicUrl: 'https://pit.example' }],
    ['on a server for the network', { withoutSmtp: true, host: '0.0.0.0' }],
  ])('%s', async (_where, settings) => {
    await using other = await authServer(settings)
    const { host } = new URL(other.context.publicUrl())
    const answer = await other.http.inject({ url: '/api/auth/google', headers: { host } })
    expect(answer.headers.location).toBe('/auth/sign-in?refused=google-not-set-up')
    const keys = await other.http.inject({
      url: '/dev/openid/keys',
      headers: { host: 'localhost' },
    })
    expect(keys.statusCode).toBe(404)
  })
})
