import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthServer, authServer } from '#testing/people/authServer.ts'
import { unusedEmail } from '#testing/people/logins.ts'
import { oauthStateCookie, refused, visitor } from '#testing/people/visitor.ts'

let server: AuthServer

beforeAll(async () => {
  server = await authServer({ withoutSmtp: true })
})
afterAll(() => server[Symbol.asyncDispose]())

describe('the callback is refused', () => {
  test('with an unverified address', async () => {
    const [browser, email] = [visitor(server), unusedEmail()]
    expect(await browser.signInAs({ email })).toMatchObject(refused('google-refused'))
    expect(await browser.call.auth.login()).toMatchObject({ login: null })
    const rows = await server.db
      .selectFrom('users')
      .where('email', '=', email)
      .select('id')
      .execute()
    expect(rows).toEqual([])
  })

  test('in a browser that did not start the sign-in', async () => {
    const [browser, victim] = [visitor(server), visitor(server)]
    const back = await browser.choose(await browser.startGoogle(), {
      email: unusedEmail(),
      email_verified: 'on',
    })
    expect(await victim.go(back.href)).toMatchObject(refused('forged-request'))
    await victim.startGoogle()
    expect(await victim.go(back.href)).toMatchObject(refused('forged-request'))
    expect(await victim.call.auth.login()).toMatchObject({ login: null })
  })

  test.each(['state', 'code', 'iss'])('with another %s', async name => {
    const browser = visitor(server)
    const back = await browser.choose(await browser.startGoogle(), {
      email: unusedEmail(),
      email_verified: 'on',
    })
    back.searchParams.set(name, `${back.searchParams.get(name)}x`)
    const answer = await browser.go(back.href)
    expect(answer).toMatchObject(refused(name === 'code' ? 'google-refused' : 'forged-request'))
    expect(await browser.call.auth.login()).toMatchObject({ login: null })
  })

  test('with a token of another nonce', async () => {
    const browser = visitor(server)
    const asked = await browser.startGoogle()
    asked.searchParams.set('nonce', 'another-nonce-of-somebody-else')
    const back = await browser.choose(asked, { email: unusedEmail(), email_verified: 'on' })
    expect(await browser.go(back.href)).toMatchObject(refused('forged-request'))
  })

  test('with a code requested with another challenge', async () => {
    const browser = visitor(server)
    const asked = await browser.startGoogle()
    const other = createHash('sha256').update('other').digest('base64url')
    asked.searchParams.set('code_challenge', other)
    const back = await browser.choose(asked, { email: unusedEmail(), email_verified: 'on' })
    expect(await browser.go(back.href)).toMatchObject(refused('google-refused'))
  })

  test('when it is repeated', async () => {
    const browser = visitor(server)
    const asked = await browser.startGoogle()
    const trip = browser.jar.get(oauthStateCookie) ?? ''
    const back = await browser.choose(asked, { email: unusedEmail(), email_verified: 'on' })
    expect((await browser.go(back.href)).to).toBe(`${server.url}/new`)
    expect(await browser.go(back.href)).toMatchObject(refused('forged-request'))
    const answer = await fetch(back, {
      redirect: 'manual',
      headers: { cookie: `${oauthStateCookie}=${trip}` },
    })
    expect(answer.headers.get('location')).toBe('/auth/sign-in?refused=google-refused')
  })

  test('with a modified cookie', async () => {
    const browser = visitor(server)
    const back = await browser.choose(await browser.startGoogle(), {
      email: unusedEmail(),
      email_verified: 'on',
    })
    const [packed = '', signature = ''] = (browser.jar.get(oauthStateCookie) ?? '').split('.')
    const trip = JSON.parse(Buffer.from(packed, 'base64url').toString())
    const changed = Buffer.from(JSON.stringify({ ...trip, expiresAt: trip.expiresAt + 1 }))
    for (const cookie of [`${changed.toString('base64url')}.${signature}`, packed, 'x.y', '.']) {
      const answer = await fetch(back, {
        redirect: 'manual',
        headers: { cookie: `${oauthStateCookie}=${cookie}` },
      })
      expect(answer.headers.get('location')).toBe('/auth/sign-in?refused=forged-request')
    }
  })

  test('when the user declines', async () => {
    const browser = visitor(server)
    const asked = await browser.startGoogle()
    const back = new URL(`${server.url}/api/auth/google/callback`)
    back.searchParams.set('error', 'access_denied')
    back.searchParams.set('state', asked.searchParams.get('state') ?? '')
    back.searchParams.set('iss', `${server.url}/dev/openid`)
    expect(await browser.go(back.href)).toMatchObject(refused('google-refused'))
  })
})
