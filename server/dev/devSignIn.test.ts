import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthServer, authServer, type Browser } from '#testing/people/authServer.ts'

let server: AuthServer
let email: string

beforeAll(async () => {
  server = await authServer({ withoutSmtp: true })
  email = `ana-${randomUUID()}@example.com`
  const code = await server.codeFor(email, { firstName: 'Ana', lastName: 'Winter' })
  await server.browserOf(email).call.auth.verifyCode({ email, code })
})
afterAll(() => server[Symbol.asyncDispose]())

const to = '/teams/1/2/message?view=map'

function linkFor(fields: Record<string, string>) {
  return `/dev/sign-in?${new URLSearchParams(fields)}`
}

/** Submits the form of the page. */
async function press(
  browser: Browser,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const answer = await fetch(`${server.url}/dev/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: server.url, cookie: browser.jar.header, ...headers },
    body: new URLSearchParams(fields),
  })
  browser.jar.store(answer)
  return { status: answer.status, to: answer.headers.get('location') }
}

describe('demo sign-in', () => {
  test('shows what it does, and one button', async () => {
    const answer = await fetch(server.url + linkFor({ email: email.toUpperCase(), to }))
    const page = await answer.text()
    expect(page).toContain('Demo sign-in')
    expect(page.match(/<button>.*<\/button>/g)).toEqual(['<button>Continue as Ana</button>'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('signs in the existing user and redirects to the given path', async () => {
    const browser = server.browser()
    expect(await press(browser, { email, to })).toEqual({ status: 303, to })
    expect(await browser.call.users.me()).toMatchObject({ email, firstName: 'Ana' })
  })

  test('ends the previous login of this browser', async () => {
    const browser = server.browser()
    await browser.call.auth.signInAnonymously()
    const before = browser.jar.get('pitboard_login')
    await press(browser, { email, to })
    const answer = await fetch(`${server.url}/api/users.me`, {
      headers: { cookie: `pitboard_login=${before}` },
    })
    expect(answer.status).toBe(401)
  })

  test('opening the page signs nobody in', async () => {
    const answer = await fetch(server.url + linkFor({ email, to }))
    expect(answer.headers.getSetCookie().join()).not.toContain('pitboard_login')
  })
})

describe('demo sign-in is refused', () => {
  test('for an unknown address, and creates no user', async () => {
    const stranger = `stranger-${randomUUID()}@example.com`
    const page = await fetch(server.url + linkFor({ email: stranger, to }))
    expect(page.status).toBe(404)
    expect(await page.text()).not.toContain('<form')
    const browser = server.browser()
    expect(await press(browser, { email: stranger, to })).toEqual({ status: 404, to: null })
    expect(await browser.call.auth.login()).toMatchObject({ login: null })
    const users = await server.db.selectFrom('users').select('email').execute()
    expect(users.map(user => user.email)).not.toContain(stranger)
  })

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/\t/evil.example', ''])(
    'to %j',
    async elsewhere => {
      const page = await fetch(server.url + linkFor({ email, to: elsewhere }))
      expect(page.status).toBe(400)
      expect(await page.text()).not.toContain('<form')
      const browser = server.browser()
      expect(await press(browser, { email, to: elsewhere })).toEqual({ status: 400, to: null })
      expect(browser.jar.get('pitboard_login')).toBeUndefined()
    },
  )

  test('without an address', async () => {
    expect((await fetch(server.url + linkFor({ to }))).status).toBe(400)
    expect(await press(server.browser(), { to })).toEqual({ status: 400, to: null })
  })

  test.each(['https://evil.example', 'http://localhost:1', 'null'])(
    'to a form of another origin: %s',
    async origin => {
      const browser = server.browser()
      expect(await press(browser, { email, to }, { origin })).toEqual({ status: 403, to: null })
      expect(browser.jar.get('pitboard_login')).toBeUndefined()
    },
  )

  test('to a form without an Origin', async () => {
    const answer = await server.http.inject({
      method: 'POST',
      url: '/dev/sign-in',
      headers: { host: 'localhost', 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ email, to }).toString(),
    })
    expect(answer.statusCode).toBe(403)
  })

  test.each([
    { host: 'evil.example' },
    { host: '127.0.0.1.evil.example' },
    { host: 'localhost', 'x-forwarded-for': '203.0.113.7' },
    { host: 'localhost', 'x-real-ip': '203.0.113.7' },
    { host: 'localhost', via: '1.1 proxy' },
    { host: 'localhost', forwarded: 'for=203.0.113.7' },
  ])('to a request from another machine: %j', async headers => {
    const page = await server.http.inject({ url: linkFor({ email, to }), headers })
    expect(page.statusCode).toBe(404)
    expect(page.body).not.toContain('Ana')
    const pressed = await server.http.inject({
      method: 'POST',
      url: '/dev/sign-in',
      headers: {
        ...headers,
        origin: server.url,
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams({ email, to }).toString(),
    })
    expect(pressed.statusCode).toBe(404)
    expect(pressed.headers['set-cookie']).toBeUndefined()
  })

  test.each([
    ['where mails go out', {}],
    ['where DEV is off', { withoutSmtp: true, dev: false }],
    ['on a server with a public address', { withoutSmtp: true, publicUrl: 'https://pit.example' }],
    ['on a server for the network', { withoutSmtp: true, host: '0.0.0.0' }],
  ])('%s', async (_where, settings) => {
    await using other = await authServer(settings)
    const answer = await other.http.inject({
      url: linkFor({ email, to }),
      headers: { host: 'localhost' },
    })
    expect(answer.statusCode).toBe(404)
    expect(answer.body).not.toContain('Demo sign-in')
  })
})
