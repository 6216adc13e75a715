import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { authServer } from '#testing/people/authServer.ts'
import { CookieJar } from '#testing/people/client.ts'
import { createSigner } from '../dev/demoProvider.ts'
import { registerGoogle } from './google.ts'

describe('an issuer', () => {
  const google = { clientId: 'us', clientSecret: 'secret' }

  test('without HTTPS is refused unless it is on this machine', async () => {
    await using server = await authServer({ withoutSmtp: true })
    const register = (issuer: string) => () =>
      registerGoogle(Fastify(), {
        ...server.context,
        config: { ...server.context.config, google: { ...google, issuer } },
      })
    expect(register('http://accounts.example')).toThrow('GOOGLE_ISSUER must be https')
    expect(register('http://127.0.0.1:9')).not.toThrow()
  })

  test('that does not respond is a server error, and is retried', async () => {
    // No server listens on the discard port.
    await using other = await authServer({ google: { ...google, issuer: 'http://127.0.0.1:9' } })
    for (let times = 0; times < 2; times += 1) {
      const answer = await fetch(`${other.url}/api/auth/google`, { redirect: 'manual' })
      expect(answer.headers.get('location')).toBe('/auth/sign-in?refused=server-error')
    }
  })
})

describe('an ID token', () => {
  test.each([
    ['signed with a key the issuer published is accepted', true, '/new'],
    ['signed with another key is refused', false, '/auth/sign-in?refused='],
  ])('%s', async (_what, honest, to) => {
    await using issuer = await smallIssuer(honest)
    const google = { clientId: 'us', clientSecret: 'secret', issuer: issuer.url }
    await using other = await authServer({ google })
    const jar = new CookieJar()
    const out = await fetch(`${other.url}/api/auth/google`, { redirect: 'manual' })
    jar.store(out)
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

/** An issuer that accepts every request. A dishonest one signs with an unpublished key. */
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
