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
import { Refusal } from '#contract/refusal.ts'
import { Email, FirstName, LastName } from '#contract/users.ts'
import { isLoopback, isLoopbackHost } from '../config.ts'
import type { Parts } from '../parts.ts'
import { createProvider, type Provider } from './googleProvider.ts'
import { packTrip, tripLifeMs, unpackTrip } from './googleTrip.ts'
import { setLoginCookie } from './loginCookie.ts'
import { signIn } from './signIn.ts'

const callbackPath = '/api/auth/google/callback'

/** Sign-in with an external account. It ends at `/new`, or at the sign-in screen with `?refused=<code>`. */
export function registerGoogle(app: FastifyInstance, parts: Parts) {
  const provider = createProvider(parts)
  const schema = { hide: true }

  app.get('/api/auth/google', { schema }, async (request, reply) => {
    const elsewhere = ourAddressFor(request, parts.publicUrl())
    if (elsewhere) return reply.redirect(elsewhere)
    return orRefused(request, reply, () => setOut(parts, provider, reply))
  })
  app.get(callbackPath, { schema }, (request, reply) =>
    orRefused(request, reply, () => comeBack(parts, provider, request, reply)),
  )
}

/** Off to the provider, with what must be the same on the way back kept in this browser. */
async function setOut(parts: Parts, provider: Provider, reply: FastifyReply): Promise<string> {
  const configuration = await provider()
  const trip = {
    state: randomState(),
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
    expiresAt: Date.now() + tripLifeMs,
  }
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: parts.publicUrl() + callbackPath,
    scope: 'openid email profile',
    prompt: 'select_account',
    state: trip.state,
    nonce: trip.nonce,
    code_challenge: await calculatePKCECodeChallenge(trip.verifier),
    code_challenge_method: 'S256',
  })
  await packTrip(parts.db, reply, parts.publicUrl(), trip)
  return url.href
}

async function comeBack(
  parts: Parts,
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const { db, live } = parts
  const publicUrl = parts.publicUrl()
  const trip = await unpackTrip(db, request, reply, publicUrl)
  if (!trip) throw new Refusal('forged-request')
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
    request.headers.authorization === undefined ? await parts.authenticate(request) : null
  const { login } = await signIn(db, { ...person, previous })
  if (previous) live.endLogin(previous.userId, previous.loginId)
  setLoginCookie(reply, publicUrl, login)
  return `${publicUrl}/new`
}

const Verified = z.object({ email: Email, email_verified: z.literal(true) })

/** Only an address that the provider has verified says who someone is. */
function personIn(claims: IDToken | undefined) {
  const verified = Verified.safeParse(claims)
  if (!verified.success) throw new Refusal('google-refused')
  return {
    email: verified.data.email,
    firstName: FirstName.safeParse(claims?.given_name).data,
    lastName: LastName.safeParse(claims?.family_name).data,
  }
}

/** A person reads this in a browser's address bar, so whatever goes wrong ends at the sign-in screen. */
async function orRefused(
  request: FastifyRequest,
  reply: FastifyReply,
  go: () => Promise<string>,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store')
  try {
    return reply.redirect(await go())
  } catch (error) {
    const refusal = asRefusal(error)
    if (refusal.code === 'server-error')
      request.log.error({ err: error }, 'external sign-in failed')
    return reply.redirect(`/auth/sign-in?refused=${refusal.code}`)
  }
}

/** The provider said no, or what it said does not fit this trip. */
function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return new Refusal('google-refused')
  }
  const misfits = ['OAUTH_INVALID_RESPONSE', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED']
  if (error instanceof ClientError && misfits.includes(error.code ?? '')) {
    return new Refusal('forged-request')
  }
  return new Refusal('server-error')
}

/**
 * This machine has several names, and a cookie belongs to one: the trip starts under the name that it
 * ends under. Answers where to go for that, or null if the browser is there.
 */
function ourAddressFor(request: FastifyRequest, publicUrl: string): string | null {
  const ours = new URL(publicUrl)
  const { host } = request.headers
  const isMoved = request.url.endsWith('?moved')
  if (isMoved || host === ours.host || !isLoopbackHost(host) || !isLoopback(ours.hostname))
    return null
  return `${publicUrl}/api/auth/google?moved`
}
