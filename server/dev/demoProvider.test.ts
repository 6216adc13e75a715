import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthServer, authServer } from '#testing/people/authServer.ts'
import { unusedEmail } from '#testing/people/logins.ts'
import { visitor } from '#testing/people/visitor.ts'

let server: AuthServer

beforeAll(async () => {
  server = await authServer({ withoutSmtp: true })
})
afterAll(() => server[Symbol.asyncDispose]())

describe('the demo account provider', () => {
  test('sends its code only to our callback', async () => {
    const asked = await visitor(server).startGoogle()
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
      const page = await visitor(server).go(changed.href)
      expect(page.status).toBe(400)
      expect(page.text).not.toContain('<form')
      const fields = Object.fromEntries(changed.searchParams)
      const answer = await visitor(server).go('/dev/openid/authorize', {
        ...fields,
        email: unusedEmail(),
        given_name: 'A',
        family_name: 'B',
      })
      expect(answer).toMatchObject({ status: 400, to: '' })
    }
  })

  test('issues no token without the secret', async () => {
    const browser = visitor(server)
    const back = await browser.choose(await browser.startGoogle(), { email: unusedEmail() })
    const answer = await browser.go('/dev/openid/token', {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: `${server.url}/api/auth/google/callback`,
      code_verifier: 'x'.repeat(43),
      client_id: 'pitboard-demo',
      client_secret: 'guess',
    })
    expect(answer).toMatchObject({ status: 400, text: '{"error":"invalid_grant"}' })
  })

  test('escapes the parameters of its URL', async () => {
    const asked = await visitor(server).startGoogle()
    asked.searchParams.set('state', '"><script>alert(1)</script>')
    const { text } = await visitor(server).go(asked.href)
    expect(text).toContain('&quot;&gt;&lt;script&gt;')
    expect(text).not.toContain('<script')
  })

  test('needs no token where only the server calls it, and one on its page', async () => {
    const { href, pathname } = await visitor(server).startGoogle()
    expect(pathname).toBe('/dev/openid/authorize')
    const page = await fetch(href)
    expect(page.status).toBe(404)
    expect(await page.text()).not.toContain('<form')
    for (const path of ['.well-known/openid-configuration', 'keys'])
      expect((await fetch(`${server.url}/dev/openid/${path}`)).status).toBe(200)
  })
})
