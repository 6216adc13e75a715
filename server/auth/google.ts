import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  calculatePKCECodeChallenge,
  type IDToken,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { z } from 'zod'
import { parseSafely } from '#contract/parse.ts'
import { Refusal, type RefusalCode } from '#contract/refusal.ts'
import { Email, FirstName, LastName } from '#contract/users.ts'
import { isLoopback } from '../config.ts'
import type { AppContext } from '../context.ts'
import { ownPath } from '../http/ownPath.ts'
import { isLoopbackHost } from '../localRequest.ts'
import { createProvider, type Provider } from './googleProvider.ts'
import { rememberBrowser } from './knownBrowser.ts'
import { setLoginCookie } from './loginCookie.ts'
import { oauthStateLifeMs, packOAuthState, unpackOAuthState } from './oauthState.ts'
import { signIn } from './signIn.ts'

const callbackPath = '/api/auth/google/callback'

/**
 * Sign-in with an external account. It ends at `/new`, or at the sign-in screen with `?refused=<code>`.
 * Where the person wanted to go (`?next=`) comes along both ways.
 */
export function registerGoogle(app: FastifyInstance, context: AppContext) {
  const provider = createProvider(context)
  const schema = { hide: true }

  app.get('/api/auth/google', { schema }, async (request, reply) => {
    const { next, moved } = request.query as Record<string, unknown>
    const visit = { request, reply, next: ownPath(next) }
    const elsewhere = moved === undefined ? ourAddressFor(visit, context.publicUrl()) : null
    if (elsewhere !== null) return reply.redirect(elsewhere)
    return orRefused(visit, () => setOut(context, provider, visit))
  })
  app.get(callbackPath, { schema }, (request, reply) => {
    const visit = { request, reply, next: null }
    return orRefused(visit, () => comeBack(context, provider, visit))
  })
}

/** A browser on its way, and where it wanted to go as far as that is known. */
interface Visit {
  request: FastifyRequest
  reply: FastifyReply
  next: string | null
}

/** Off to the provider, with what must be the same on the way back kept in this browser. */
async function setOut(
  context: AppContext,
  provider: Provider,
  { reply, next }: Visit,
): Promise<string> {
  const configuration = await provider()
  const trip = {
    state: randomState(),
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
    next,
    expiresAt: Date.now() + oauthStateLifeMs,
  }
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: context.publicUrl() + callbackPath,
    scope: 'openid email profile',
    prompt: 'select_account',
    state: trip.state,
    nonce: trip.nonce,
    code_challenge: await calculatePKCECodeChallenge(trip.verifier),
    code_challenge_method: 'S256',
  })
  await packOAuthState(context.db, reply, context.publicUrl(), trip)
  return url.href
}

async function comeBack(context: AppContext, provider: Provider, visit: Visit): Promise<string> {
  const { db } = context
  const { request, reply } = visit
  const [publicUrl, now] = [context.publicUrl(), context.clock.now()]
  const trip = await unpackOAuthState(db, request, reply, publicUrl)
  if (!trip) throw new Refusal('forged-request')
  visit.next = trip.next
  const answer = new URL(publicUrl + callbackPath)
  answer.search = new URL(request.url, answer).search
  const tokens = await authorizationCodeGrant(await provider(), answer, {
    expectedState: trip.state,
    expectedNonce: trip.nonce,
    pkceCodeVerifier: trip.verifier,
    idTokenExpected: true,
  })
  const person = personIn(tokens.claims())
  const previous =
    request.headers.authorization === undefined ? await context.authenticate(request) : null
  const { login } = await signIn(context, {
    ...person,
    ip: request.ip,
    userAgent: request.headers['user-agent'],
    previous,
    now,
  })
  setLoginCookie(reply, publicUrl, login)
  await rememberBrowser(db, visit, { publicUrl, email: person.email, now })
  return withQuery(`${publicUrl}/new`, { next: trip.next })
}

const Verified = z.object({ email: Email, email_verified: z.literal(true) })

/** Only an address that the provider has verified says who someone is. */
function personIn(claims: IDToken | undefined) {
  const verified = parseSafely(Verified, claims)
  if (!verified.success) throw new Refusal('google-refused')
  return {
    email: verified.data.email,
    firstName: parseSafely(FirstName, claims?.given_name).data,
    lastName: parseSafely(LastName, claims?.family_name).data,
  }
}

/** A person reads this in a browser's address bar, so whatever goes wrong ends at the sign-in screen. */
async function orRefused(visit: Visit, go: () => Promise<string>): Promise<FastifyReply> {
  const { request, reply } = visit
  reply.header('cache-control', 'no-store')
  try {
    return reply.redirect(await go())
  } catch (error) {
    const refusal = asRefusal(error)
    if (refusal.code === 'server-error')
      request.log.error({ err: error }, 'external sign-in failed')
    return reply.redirect(withQuery('/auth/sign-in', { refused: refusal.code, next: visit.next }))
  }
}

/** The provider said no, or what it said does not fit this trip. */
function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return new Refusal('google-refused')
  }
  return new Refusal((error instanceof ClientError && misfits[error.code ?? '']) || 'server-error')
}

const misfits: Record<string, RefusalCode> = {
  OAUTH_INVALID_RESPONSE: 'forged-request',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'forged-request',
  // An ID token that is over, or not yet valid.
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'google-refused',
}

/**
 * This machine has several names, and a cookie belongs to one: the trip starts under the name that it
 * ends under. Answers where to go for that, or null if the browser is there.
 */
function ourAddressFor({ request, next }: Visit, publicUrl: string): string | null {
  const ours = new URL(publicUrl)
  const { host } = request.headers
  if (host === ours.host || !isLoopbackHost(host) || !isLoopback(ours.hostname)) return null
  return withQuery(`${publicUrl}/api/auth/google`, { moved: 'once', next })
}

function withQuery(address: string, fields: Record<string, string | null>): string {
  const given = Object.entries(fields).filter(
    (field): field is [string, string] => field[1] !== null,
  )
  return given.length > 0 ? `${address}?${new URLSearchParams(given).toString()}` : address
}
