import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { parseSafely } from '#contract/parse.ts'
import { Email, FirstName, LastName } from '#contract/users.ts'
import type { OpenIdClient } from '../auth/googleProvider.ts'
import { hasDevPages } from '../config.ts'
import type { AppContext } from '../context.ts'
import { html } from '../mail/html.ts'
import { addDevRoutes, devPage, sendDevPage } from './devPages.ts'

const path = '/dev/openid'
const schema = { hide: true }

/** Returns our client registration at the demo provider, or undefined if it is not available. */
export function demoClient(context: AppContext): OpenIdClient | undefined {
  if (!isOffered(context)) return undefined
  return { issuer: issuerOf(context), clientId, clientSecret }
}

/**
 * Anybody can sign in as anybody with it, so it requires a server only for this machine, no real provider
 * and no mail server.
 */
function isOffered({ config, mailer }: AppContext): boolean {
  return hasDevPages(config) && !config.google && mailer.outbox !== undefined
}

function issuerOf(context: AppContext): string {
  return context.publicUrl() + path
}

/**
 * Registers an OpenID Connect provider for testing external sign-in without an account: discovery, a page
 * for typing the account, and signed ID tokens. Only for this machine.
 */
export function registerDemoProvider(app: FastifyInstance, context: AppContext) {
  if (!isOffered(context)) return
  const grants = new DemoGrants()
  const signer = createSigner()
  const callback = () => `${context.publicUrl()}/api/auth/google/callback`

  function authorizationRequestIn(fields: unknown): AuthorizationRequest | null {
    const asked = parseSafely(AuthorizationRequest, fields).data
    // An unchecked redirect URI would send the code to any site.
    return asked?.redirect_uri === callback() ? asked : null
  }

  function onToken(request: FastifyRequest, reply: FastifyReply) {
    reply.header('cache-control', 'no-store')
    const asked = parseSafely(TokenRequest, request.body).data
    const grant = asked && grants.redeem(asked)
    if (!grant) return reply.code(400).send({ error: 'invalid_grant' })
    return reply.send(tokenResponse(signer.sign(claimsOf(grant, issuerOf(context)))))
  }

  // Called by the server itself, which has no cookie.
  addDevRoutes(app, null, scope => {
    scope.get(`${path}/.well-known/openid-configuration`, { schema }, () =>
      metadataOf(issuerOf(context)),
    )
    scope.get(`${path}/keys`, { schema }, () => ({ keys: [signer.publicKey] }))
    scope.post(`${path}/token`, { schema }, onToken)
  })

  addDevRoutes(app, context.config.devToken, scope => {
    scope.get(`${path}/authorize`, { schema }, (request, reply) => {
      const asked = authorizationRequestIn(request.query)
      if (!asked) return sendDevPage(reply, refusedPage(), 400)
      return sendDevPage(reply, accountPage(asked))
    })
    scope.post(`${path}/authorize`, { schema }, (request, reply) => {
      const asked = authorizationRequestIn(request.body)
      if (!asked) return sendDevPage(reply, refusedPage(), 400)
      const account = parseSafely(DemoAccount, request.body).data
      if (!account) return sendDevPage(reply, accountPage(asked, 'Fill in every field.'), 400)
      const params = {
        code: grants.add(asked, account),
        state: asked.state,
        iss: issuerOf(context),
      }
      return reply.redirect(`${asked.redirect_uri}?${new URLSearchParams(params).toString()}`, 303)
    })
  })
}

function metadataOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}

const idTokenLifeSeconds = 300

function claimsOf({ asked, account }: Grant, issuer: string) {
  const nowSeconds = Math.floor(Date.now() / 1000)
  return {
    iss: issuer,
    sub: account.email,
    aud: clientId,
    iat: nowSeconds,
    exp: nowSeconds + idTokenLifeSeconds,
    nonce: asked.nonce,
    email: account.email,
    email_verified: account.email_verified === 'on',
    given_name: account.given_name,
    family_name: account.family_name,
  }
}

const title = 'Demo account provider'

/** The page where a tester types the account to use. */
function accountPage(asked: AuthorizationRequest, wrong?: string): string {
  const kept = Object.entries(asked).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return devPage(
    title,
    html`<p>This stands in for Google while external sign-in is tried on this machine. Nothing here is checked: use any account.</p>
${wrong === undefined ? '' : html`<p role="alert"><strong>${wrong}</strong></p>`}
<form method="post" action="/dev/openid/authorize">
${kept}
<label>Email <input name="email" type="email" required autocomplete="off" placeholder="driver@example.com"></label>
<label>First name <input name="given_name" required maxlength="80" value="Demo"></label>
<label>Last name <input name="family_name" required maxlength="80" value="Driver"></label>
<label class="tick"><input name="email_verified" type="checkbox" checked> The address is verified</label>
<button>Continue to Pitboard</button>
</form>`,
  )
}

function tokenResponse(idToken: string) {
  return {
    access_token: randomBytes(32).toString('base64url'),
    token_type: 'Bearer',
    expires_in: idTokenLifeSeconds,
    id_token: idToken,
  }
}

/** The page for an authorization request that our own sign-in did not send. */
function refusedPage(): string {
  return devPage(
    title,
    html`<p>This request is not complete. Start again from the <a href="/auth/sign-in">sign-in screen</a>.</p>`,
  )
}

interface Grant {
  asked: AuthorizationRequest
  account: DemoAccount
}

/** Browsers redirect with the code immediately. */
const grantLifeMs = 60_000
const maxGrants = 1000

/** Pending authorization codes. Each is valid once, for a minute, with the PKCE verifier of its request. */
class DemoGrants {
  readonly #grants = new Map<string, Grant & { expiresAt: number }>()

  /** Creates and returns a code. */
  add(asked: AuthorizationRequest, account: DemoAccount): string {
    this.#deleteExpired()
    const code = randomBytes(32).toString('base64url')
    this.#grants.set(code, { asked, account, expiresAt: Date.now() + grantLifeMs })
    return code
  }

  /** Redeems a code. Returns null if it is unknown, expired or of another request. */
  redeem(how: { code: string; redirect_uri: string; code_verifier: string }): Grant | null {
    const grant = this.#grants.get(how.code)
    this.#grants.delete(how.code)
    if (!grant || grant.expiresAt <= Date.now()) return null
    const challenge = createHash('sha256').update(how.code_verifier).digest('base64url')
    const { asked } = grant
    return challenge === asked.code_challenge && how.redirect_uri === asked.redirect_uri
      ? grant
      : null
  }

  #deleteExpired() {
    for (const [code, grant] of this.#grants) {
      if (grant.expiresAt <= Date.now() || this.#grants.size >= maxGrants) this.#grants.delete(code)
    }
  }
}

const clientId = 'pitboard-demo'
/** Random per process, because the client and the provider are the same process. */
const clientSecret = randomBytes(32).toString('base64url')

/** Starts a sign-in: sent by the browser. */
const AuthorizationRequest = z.object({
  client_id: z.literal(clientId),
  redirect_uri: z.url(),
  response_type: z.literal('code'),
  scope: z.string().regex(/\bopenid\b/),
  state: z.string().min(1).max(512),
  nonce: z.string().min(1).max(512),
  code_challenge: z.string().regex(/^[\w-]{43}$/),
  code_challenge_method: z.literal('S256'),
})
type AuthorizationRequest = z.infer<typeof AuthorizationRequest>

/** The account that a tester types. */
const DemoAccount = z.object({
  email: Email,
  given_name: FirstName,
  family_name: LastName,
  email_verified: z.literal('on').optional(),
})
type DemoAccount = z.infer<typeof DemoAccount>

/** Exchanges a code for an ID token: sent by our server. */
const TokenRequest = z.object({
  grant_type: z.literal('authorization_code'),
  code: z.string(),
  redirect_uri: z.string(),
  code_verifier: z.string().min(43).max(128),
  client_id: z.literal(clientId),
  client_secret: z.literal(clientSecret),
})

/** Creates a signer with a key pair for the lifetime of this process. */
export function createSigner() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const kid = randomUUID()
  return {
    publicKey: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' },

    /** Returns a JSON Web Token with these claims. */
    sign(claims: Record<string, unknown>): string {
      const signed = `${encoded({ alg: 'ES256', typ: 'JWT', kid })}.${encoded(claims)}`
      const signature = sign('sha256', Buffer.from(signed), {
        key: privateKey,
        dsaEncoding: 'ieee-p1363',
      })
      return `${signed}.${signature.toString('base64url')}`
    },
  }
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
