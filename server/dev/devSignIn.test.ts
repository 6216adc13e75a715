import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthServer, authServer, type Browser } from '#testing/people/authServer.ts'
import { devCookie } from '#testing/people/logins.ts'

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

/** Opens the page as a browser with the token. */
function open(fields: Record<string, string>) {
  const { jar } = server.browser()
  return fetch(server.url + linkFor(fields), { headers: { cookie: jar.header } })
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
    const answer = await open({ email: email.toUpperCase(), to })
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
    const answer = await open({ email, to })
    expect(answer.headers.getSetCookie().join()).not.toContain('pitboard_login')
  })
})

describe('demo sign-in is refused', () => {
  test('for an unknown address, and creates no user', async () => {
    const stranger = `stranger-${randomUUID()}@example.com`
    const page = await open({ email: stranger, to })
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
      const page = await open({ email, to: elsewhere })
      expect(page.status).toBe(400)
      expect(await page.text()).not.toContain('<form')
      const browser = server.browser()
      expect(await press(browser, { email, to: elsewhere })).toEqual({ status: 400, to: null })
      expect(browser.jar.get('pitboard_login')).toBeUndefined()
    },
  )

  test('without an address', async () => {
    expect((await open({ to })).status).toBe(400)
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
      headers: {
        cookie: server.browser().jar.header,
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams({ email, to }).toString(),
    })
    expect(answer.statusCode).toBe(403)
  })

  test('without the token of this server', async () => {
    const page = await fetch(server.url + linkFor({ email, to }))
    expect(page.status).toBe(404)
    expect(await page.text()).not.toContain('Ana')
    const pressed = await press(server.browser(), { email, to }, { cookie: '' })
    expect(pressed).toEqual({ status: 404, to: null })
  })

  test.each([
    ['where mails go out', {}],
    ['where DEV is off', { withoutSmtp: true, dev: false }],
    ['on a server with a public address', { withoutSmtp: true, publicUrl: 'https://pit.example' }],
    ['on a server for the network', { withoutSmtp: true, host: '0.0.0.0' }],
  ])('%s', async (_where, settings) => {
    await using other = await authServer(settings)
    const cookie = `${devCookie}=${other.context.config.devToken}`
    const answer = await other.http.inject({ url: linkFor({ email, to }), headers: { cookie } })
    expect(answer.statusCode).toBe(404)
    expect(answer.body).not.toContain('Demo sign-in')
  })
})
