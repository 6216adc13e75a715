import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AuthServer, authServer, type Browser } from '#testing/people/authServer.ts'
import { type OpenIdProvider, openIdProvider } from '#testing/people/openIdProvider.ts'

/** Tests against an independent OpenID Connect provider, which shares no code with ours. */
let provider: OpenIdProvider
let server: AuthServer

beforeAll(async () => {
  provider = await openIdProvider()
  server = await authServer({
    google: { issuer: provider.url, clientId: 'us', clientSecret: 'secret' },
  })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})
beforeEach(() => provider.honest())

const newAccount = (more: object = {}) => ({
  email: `someone-${randomUUID()}@example.com`,
  email_verified: true,
  given_name: 'Ana',
  family_name: 'Prost',
  ...more,
})

/** Sends one request of a browser and returns the URL it is redirected to. */
async function step(browser: Browser, url: string): Promise<string> {
  const ours = url.startsWith(server.url)
  const answer = await fetch(url, {
    redirect: 'manual',
    ...(ours && { headers: { cookie: browser.jar.header } }),
  })
  if (ours) browser.jar.store(answer)
  return new URL(answer.headers.get('location') ?? '', url).href
}

/** Starts a sign-in and returns the callback URL that the provider redirects to. */
async function callbackUrlFor(browser: Browser, query = ''): Promise<URL> {
  const asked = await step(browser, `${server.url}/api/auth/google${query}`)
  expect(asked).toMatch(`${provider.url}/authorize?`)
  return new URL(await step(browser, asked))
}

async function signInAs(browser: Browser, account: Record<string, unknown>, query = '') {
  provider.account = account
  return step(browser, (await callbackUrlFor(browser, query)).href)
}

const refused = (code: string) => `${server.url}/auth/sign-in?refused=${code}`

async function expectNobody(browser: Browser, email: string) {
  expect(await browser.call.auth.login()).toMatchObject({ login: null })
  const users = await server.db.selectFrom('users').select('email').execute()
  expect(users.map(user => user.email)).not.toContain(email)
}

describe('with an external account', () => {
  test('a new user gets the names of the account and is sent to /new', async () => {
    const [browser, account] = [server.browser(), newAccount()]
    expect(await signInAs(browser, account)).toBe(`${server.url}/new`)
    expect(await browser.call.users.me()).toMatchObject({
      email: account.email,
      firstName: 'Ana',
      lastName: 'Prost',
      kind: 'account',
      isAnonymous: false,
    })
  })

  test('an account without names creates a user without names', async () => {
    const browser = server.browser()
    await signInAs(browser, newAccount({ given_name: undefined, family_name: '' }))
    expect(await browser.call.users.me()).toMatchObject({ firstName: null, lastName: null })
  })

  test('a verified address is one user, by external account or by code', async () => {
    const [first, second, third, account] = [
      server.browser(),
      server.browser(),
      server.browser(),
      newAccount(),
    ]
    await signInAs(first, account)
    const { id } = await first.call.users.me()
    await signInAs(second, { ...account, email: account.email.toUpperCase(), sub: 'another' })
    expect((await second.call.users.me()).id).toBe(id)
    const code = await server.codeFor(account.email, undefined, third)
    const { user } = await third.call.auth.verifyCode({ email: account.email, code })
    expect(user.id).toBe(id)
  })

  test('the path to open after sign-in is kept', async () => {
    const next = '/teams/1/2/message?view=map'
    const query = `?${new URLSearchParams({ next })}`
    const landed = new URL(await signInAs(server.browser(), newAccount(), query))
    expect(landed.pathname).toBe('/new')
    expect(landed.searchParams.get('next')).toBe(next)
  })

  test('the path is kept when the account is refused', async () => {
    const query = `?${new URLSearchParams({ next: '/teams/1' })}`
    const landed = await signInAs(server.browser(), newAccount({ email_verified: false }), query)
    expect(landed).toBe(`${refused('google-refused')}&next=%2Fteams%2F1`)
  })

  test.each(['//evil.example', 'https://evil.example/', '/\\evil.example'])(
    'a path of another site is ignored: %s',
    async next => {
      const query = `?${new URLSearchParams({ next })}`
      expect(await signInAs(server.browser(), newAccount(), query)).toBe(`${server.url}/new`)
    },
  )
})

describe('the response of another provider is refused', () => {
  test.each([
    ['false', false],
    ['not said', undefined],
    ['a text', 'true'],
  ])('when email_verified is %s', async (_what, email_verified) => {
    const [browser, account] = [server.browser(), newAccount({ email_verified })]
    expect(await signInAs(browser, account)).toBe(refused('google-refused'))
    await expectNobody(browser, account.email)
  })

  test('with another state', async () => {
    const [browser, account] = [server.browser(), newAccount()]
    provider.account = account
    const back = await callbackUrlFor(browser)
    back.searchParams.set('state', 'of-somebody-else')
    expect(await step(browser, back.href)).toBe(refused('forged-request'))
    await expectNobody(browser, account.email)
  })

  test.each([
    ['another nonce', { nonce: 'of-somebody-else' }, 'forged-request'],
    ['no nonce', { nonce: undefined }, 'forged-request'],
    ['another audience', { aud: 'another-client' }, 'forged-request'],
    ['another issuer', { iss: 'https://evil.example' }, 'forged-request'],
    ['an end that is past', { exp: nowSeconds() - 3600 }, 'google-refused'],
    ['a beginning that is to come', { nbf: nowSeconds() + 3600 }, 'google-refused'],
  ])('with %s in its token', async (_what, claims, code) => {
    const [browser, account] = [server.browser(), newAccount()]
    provider.claims = claims
    expect(await signInAs(browser, account)).toBe(refused(code))
    await expectNobody(browser, account.email)
  })

  test('with a token that was changed after signing', async () => {
    const [browser, account] = [server.browser(), newAccount()]
    provider.forgery = token => {
      const [head = '', payload = '', signature = ''] = token.split('.')
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
      const changed = { ...claims, email: 'victim@example.com' }
      return [head, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.')
    }
    expect(await signInAs(browser, account)).toBe(refused('forged-request'))
    await expectNobody(browser, 'victim@example.com')
  })

  test('with a code requested in another browser', async () => {
    const [browser, victim, account] = [server.browser(), server.browser(), newAccount()]
    provider.account = account
    const [stolen, own] = [await callbackUrlFor(browser), await callbackUrlFor(victim)]
    own.searchParams.set('code', stolen.searchParams.get('code') ?? '')
    expect(await step(victim, own.href)).toBe(refused('google-refused'))
    await expectNobody(victim, account.email)
  })
})

function nowSeconds() {
  return Math.floor(Date.now() / 1000)
}
