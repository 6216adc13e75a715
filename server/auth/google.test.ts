import { createHash, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthServer, authServer, type Browser } from '#testing/authServer.ts'
import { CookieJar } from '#testing/client.ts'
import { createSigner } from './demoSigner.ts'
import { registerGoogle } from './google.ts'

let server: AuthServer

beforeAll(async () => {
  server = await authServer({ mailsStay: true })
})
afterAll(() => server[Symbol.asyncDispose]())

const someone = () => `someone-${randomUUID()}@example.com`
const tripCookie = 'pitboard_google'

async function go(browser: Browser, url: string, form?: Record<string, string>) {
  const answer = await fetch(new URL(url, server.url), {
    redirect: 'manual',
    headers: { cookie: browser.jar.header, ...(form && { origin: server.url }) },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  })
  browser.jar.keep(answer)
  return {
    status: answer.status,
    to: answer.headers.get('location') ?? '',
    text: await answer.text(),
  }
}

/** From our button to the provider's page: its address, with what we asked for. */
async function setOut(browser: Browser) {
  const { to } = await go(browser, '/api/auth/google')
  expect(to).toContain('/dev/openid/authorize?')
  return new URL(to)
}

interface Account {
  email: string
  given_name?: string
  family_name?: string
  email_verified?: 'on'
}

/** Fills in the provider's page. Answers where it sends the browser. */
async function choose(browser: Browser, asked: URL, account: Account) {
  const page = await go(browser, asked.href)
  expect(page.text).toContain('Demo account provider')
  const kept = [...page.text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  const fields = Object.fromEntries(kept.map(([, name, value]) => [name, unescaped(value ?? '')]))
  const names = { given_name: 'Ana', family_name: 'Prost' }
  return new URL(
    (await go(browser, '/dev/openid/authorize', { ...fields, ...names, ...account })).to,
  )
}

const unescaped = (text: string) => text.replaceAll('&amp;', '&')

/** The whole way. */
async function signInAs(browser: Browser, account: Account) {
  const back = await choose(browser, await setOut(browser), account)
  return go(browser, back.href)
}

const refused = (code: string) => ({ status: 302, to: `/auth/sign-in?refused=${code}` })

describe('sign-in with an external account', () => {
  // spec: RT-17
  test('ends at /new, signed in with the verified address and the names', async () => {
    const [browser, email] = [server.browser(), someone()]
    const answer = await signInAs(browser, { email, email_verified: 'on' })
    expect(answer).toMatchObject({ status: 302, to: `${server.url}/new` })
    expect(browser.jar.get(tripCookie)).toBeUndefined()
    expect(await browser.call.users.me()).toMatchObject({
      email,
      firstName: 'Ana',
      lastName: 'Prost',
      isAnonymous: false,
    })
  })

  test('is the user that signs in with a code', async () => {
    const [browser, other, email] = [server.browser(), server.browser(), someone()]
    const code = await server.codeFor(email, { firstName: 'Anna', lastName: 'Proust' })
    const { user } = await other.call.auth.verifyCode({ email, code })
    await signInAs(browser, { email: email.toUpperCase(), email_verified: 'on' })
    expect(await browser.call.users.me()).toEqual(user)
  })

  test('keeps the anonymous user, and ends its login before', async () => {
    const [browser, email] = [server.browser(), someone()]
    const { user } = await browser.call.auth.signInAnonymously()
    const before = browser.jar.get('pitboard_login')
    await signInAs(browser, { email, email_verified: 'on' })
    expect(await browser.call.users.me()).toMatchObject({ id: user.id, email })
    const answer = await fetch(`${server.url}/api/users.me`, {
      headers: { cookie: `pitboard_login=${before}` },
    })
    expect(answer.status).toBe(401)
  })

  test('asks with state, nonce and a challenge of its own each time', async () => {
    const [one, two] = [await setOut(server.browser()), await setOut(server.browser())]
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one.searchParams.get(name)?.length).toBeGreaterThan(20)
      expect(one.searchParams.get(name)).not.toBe(two.searchParams.get(name))
    }
    expect(one.searchParams.get('code_challenge_method')).toBe('S256')
    expect(one.searchParams.get('redirect_uri')).toBe(`${server.url}/api/auth/google/callback`)
  })

  test('starts under the name of this machine that it ends under', async () => {
    const { port } = new URL(server.url)
    const answer = await fetch(`http://localhost:${port}/api/auth/google`, { redirect: 'manual' })
    expect(answer.headers.get('location')).toBe(`${server.url}/api/auth/google?moved=once`)
  })
})

describe('what comes back is refused', () => {
  test('with an address that the provider has not verified', async () => {
    const [browser, email] = [server.browser(), someone()]
    expect(await signInAs(browser, { email })).toMatchObject(refused('google-refused'))
    expect(await browser.call.auth.login()).toEqual({ login: null })
    const rows = await server.db
      .selectFrom('users')
      .where('email', '=', email)
      .select('id')
      .execute()
    expect(rows).toEqual([])
  })

  test('in a browser that did not set out', async () => {
    const [browser, victim] = [server.browser(), server.browser()]
    const back = await choose(browser, await setOut(browser), {
      email: someone(),
      email_verified: 'on',
    })
    expect(await go(victim, back.href)).toMatchObject(refused('forged-request'))
    await setOut(victim)
    expect(await go(victim, back.href)).toMatchObject(refused('forged-request'))
    expect(await victim.call.auth.login()).toEqual({ login: null })
  })

  test.each(['state', 'code', 'iss'])('with another %s', async name => {
    const browser = server.browser()
    const back = await choose(browser, await setOut(browser), {
      email: someone(),
      email_verified: 'on',
    })
    back.searchParams.set(name, `${back.searchParams.get(name)}x`)
    const answer = await go(browser, back.href)
    expect(answer).toMatchObject(refused(name === 'code' ? 'google-refused' : 'forged-request'))
    expect(await browser.call.auth.login()).toEqual({ login: null })
  })

  test('with another nonce in the token than was asked for', async () => {
    const browser = server.browser()
    const asked = await setOut(browser)
    asked.searchParams.set('nonce', 'another-nonce-of-somebody-else')
    const back = await choose(browser, asked, { email: someone(), email_verified: 'on' })
    expect(await go(browser, back.href)).toMatchObject(refused('forged-request'))
  })

  test('with a code that was asked for with another challenge', async () => {
    const browser = server.browser()
    const asked = await setOut(browser)
    const other = createHash('sha256').update('other').digest('base64url')
    asked.searchParams.set('code_challenge', other)
    const back = await choose(browser, asked, { email: someone(), email_verified: 'on' })
    expect(await go(browser, back.href)).toMatchObject(refused('google-refused'))
  })

  test('a second time', async () => {
    const browser = server.browser()
    const asked = await setOut(browser)
    const trip = browser.jar.get(tripCookie) ?? ''
    const back = await choose(browser, asked, { email: someone(), email_verified: 'on' })
    expect((await go(browser, back.href)).to).toBe(`${server.url}/new`)
    expect(await go(browser, back.href)).toMatchObject(refused('forged-request'))
    const answer = await fetch(back, {
      redirect: 'manual',
      headers: { cookie: `${tripCookie}=${trip}` },
    })
    expect(answer.headers.get('location')).toBe('/auth/sign-in?refused=google-refused')
  })

  test('with a cookie that was changed', async () => {
    const browser = server.browser()
    const back = await choose(browser, await setOut(browser), {
      email: someone(),
      email_verified: 'on',
    })
    const [packed = '', signature = ''] = (browser.jar.get(tripCookie) ?? '').split('.')
    const trip = JSON.parse(Buffer.from(packed, 'base64url').toString())
    const changed = Buffer.from(JSON.stringify({ ...trip, expiresAt: trip.expiresAt + 1 }))
    for (const cookie of [`${changed.toString('base64url')}.${signature}`, packed, 'x.y', '.']) {
      const answer = await fetch(back, {
        redirect: 'manual',
        headers: { cookie: `${tripCookie}=${cookie}` },
      })
      expect(answer.headers.get('location')).toBe('/auth/sign-in?refused=forged-request')
    }
  })

  test('when the person says no', async () => {
    const browser = server.browser()
    const asked = await setOut(browser)
    const back = new URL(`${server.url}/api/auth/google/callback`)
    back.searchParams.set('error', 'access_denied')
    back.searchParams.set('state', asked.searchParams.get('state') ?? '')
    back.searchParams.set('iss', `${server.url}/dev/openid`)
    expect(await go(browser, back.href)).toMatchObject(refused('google-refused'))
  })
})

describe('the cookie of the trip', () => {
  test('is out of reach of scripts and gone after ten minutes', async () => {
    const answer = await fetch(`${server.url}/api/auth/google`, { redirect: 'manual' })
    const cookie = answer.headers.getSetCookie().find(line => line.startsWith(tripCookie))
    expect(cookie).toMatch(/; Max-Age=600;/)
    expect(cookie).toMatch(/; HttpOnly/)
    expect(cookie).toMatch(/; SameSite=Lax/)
  })
})

describe('the demo account provider', () => {
  test('sends its code nowhere but to us', async () => {
    const asked = await setOut(server.browser())
    for (const [name, value] of [
      ['redirect_uri', 'https://evil.example/'],
      ['client_id', 'another'],
      ['code_challenge_method', 'plain'],
      ['response_type', 'token'],
      ['state', ''],
      ['nonce', ''],
    ] as const) {
      const changed = new URL(asked)
      changed.searchParams.set(name, value)
      const page = await go(server.browser(), changed.href)
      expect(page.status).toBe(400)
      expect(page.text).not.toContain('<form')
      const fields = Object.fromEntries(changed.searchParams)
      const answer = await go(server.browser(), '/dev/openid/authorize', {
        ...fields,
        email: someone(),
        given_name: 'A',
        family_name: 'B',
      })
      expect(answer).toMatchObject({ status: 400, to: '' })
    }
  })

  test('gives no token without the secret', async () => {
    const browser = server.browser()
    const back = await choose(browser, await setOut(browser), { email: someone() })
    const answer = await go(browser, '/dev/openid/token', {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: `${server.url}/api/auth/google/callback`,
      code_verifier: 'x'.repeat(43),
      client_id: 'pitboard-demo',
      client_secret: 'guess',
    })
    expect(answer).toMatchObject({ status: 400, text: '{"error":"invalid_grant"}' })
  })

  test('escapes what comes by its address', async () => {
    const asked = await setOut(server.browser())
    asked.searchParams.set('state', '"><script>alert(1)</script>')
    const { text } = await go(server.browser(), asked.href)
    expect(text).toContain('&quot;&gt;&lt;script&gt;')
    expect(text).not.toContain('<script')
  })

  test.each([
    { host: 'evil.example' },
    { host: '127.0.0.1.evil.example' },
    { host: 'localhost', 'x-forwarded-for': '203.0.113.7' },
  ])('is not there for a request that is not of this machine: %j', async headers => {
    for (const path of ['.well-known/openid-configuration', 'keys', 'authorize']) {
      const answer = await server.http.inject({ url: `/dev/openid/${path}`, headers })
      expect(answer.statusCode).toBe(404)
    }
  })
})

describe('external sign-in is not set up', () => {
  test.each([
    ['where mails go out', {}],
    ['on a server with a public address', { mailsStay: true, publicUrl: 'https://pit.example' }],
    ['on a server for the network', { mailsStay: true, host: '0.0.0.0', loopback: false }],
  ])('%s', async (_where, settings) => {
    await using other = await authServer(settings)
    const { host } = new URL(other.parts.publicUrl())
    const answer = await other.http.inject({ url: '/api/auth/google', headers: { host } })
    expect(answer.headers.location).toBe('/auth/sign-in?refused=google-not-set-up')
    const keys = await other.http.inject({
      url: '/dev/openid/keys',
      headers: { host: 'localhost' },
    })
    expect(keys.statusCode).toBe(404)
  })
})

describe('an issuer', () => {
  const google = { clientId: 'us', clientSecret: 'secret' }

  test('without https is refused unless it is this machine', () => {
    const register = (issuer: string) => () =>
      registerGoogle(Fastify(), {
        ...server.parts,
        config: { ...server.parts.config, google: { ...google, issuer } },
      })
    expect(register('http://accounts.example')).toThrow('GOOGLE_ISSUER must be https')
    expect(register('http://127.0.0.1:9')).not.toThrow()
  })

  test('that does not answer is a fault of the server, and is asked again', async () => {
    // Nothing listens on the discard port.
    await using other = await authServer({ google: { ...google, issuer: 'http://127.0.0.1:9' } })
    for (let times = 0; times < 2; times += 1) {
      const answer = await fetch(`${other.url}/api/auth/google`, { redirect: 'manual' })
      expect(answer.headers.get('location')).toBe('/auth/sign-in?refused=server-error')
    }
  })
})

describe('an ID token', () => {
  test.each([
    ['signed with a key the issuer published is taken', true, '/new'],
    ['signed with another key is refused', false, '/auth/sign-in?refused='],
  ])('%s', async (_what, honest, to) => {
    await using issuer = await smallIssuer(honest)
    const google = { clientId: 'us', clientSecret: 'secret', issuer: issuer.url }
    await using other = await authServer({ google })
    const jar = new CookieJar()
    const out = await fetch(`${other.url}/api/auth/google`, { redirect: 'manual' })
    jar.keep(out)
    const asked = new URL(out.headers.get('location') ?? '').searchParams
    issuer.nonce = asked.get('nonce') ?? ''
    const back = await fetch(
      `${other.url}/api/auth/google/callback?code=any&state=${asked.get('state')}`,
      { redirect: 'manual', headers: { cookie: jar.header } },
    )
    expect(back.headers.get('location')).toContain(to)
    const rows = await other.db.selectFrom('users').select('email').execute()
    expect(rows).toEqual(honest ? [{ email: 'ana@example.com' }] : [])
  })
})

/** An issuer that says yes to everything. A dishonest one signs with a key that it does not publish. */
async function smallIssuer(honest: boolean) {
  const [published, hidden] = [createSigner(), createSigner()]
  const signer = honest ? published : hidden
  const app = Fastify()
  app.addContentTypeParser('application/x-www-form-urlencoded', (_request, _body, done) =>
    done(null),
  )
  const issuer = { url: '', nonce: '', [Symbol.asyncDispose]: () => app.close() }
  app.get('/.well-known/openid-configuration', () => ({
    issuer: issuer.url,
    authorization_endpoint: `${issuer.url}/authorize`,
    token_endpoint: `${issuer.url}/token`,
    jwks_uri: `${issuer.url}/keys`,
    id_token_signing_alg_values_supported: ['ES256'],
  }))
  app.get('/keys', () => ({ keys: [{ ...published.publicKey, kid: signer.publicKey.kid }] }))
  app.post('/token', () => {
    const iat = Math.floor(Date.now() / 1000)
    const { url: iss, nonce } = issuer
    const person = { sub: '1', email: 'ana@example.com', email_verified: true }
    const claims = { iss, aud: 'us', nonce, iat, exp: iat + 60, ...person }
    return { access_token: 'x', token_type: 'Bearer', id_token: signer.sign(claims) }
  })
  issuer.url = await app.listen({ host: '127.0.0.1', port: 0 })
  return issuer
}
