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
import { completeSignIn } from './completeSignIn.ts'
import { createProvider, type OpenIdClient, type Provider } from './googleProvider.ts'
import { oauthStateLifeMs, packOAuthState, unpackOAuthState } from './oauthState.ts'
import { signIn } from './signIn.ts'

const callbackPath = '/api/auth/google/callback'

/**
 * Registers sign-in with an external account. It redirects to `/new`, or to the sign-in screen with
 * `?refused=<code>`. The page the user wanted to open (`?next=`) is kept in both cases. `standIn` returns
 * the client of a provider to use if none is configured. Returns whether there is a provider, for the sign-in
 * screens.
 */
export function registerGoogle(
  app: FastifyInstance,
  context: AppContext,
  standIn: () => OpenIdClient | undefined = () => undefined,
): () => boolean {
  const provider = createProvider(context, standIn)
  const schema = { hide: true }

  app.get('/api/auth/google', { schema }, async (request, reply) => {
    const { next, moved, attach } = request.query as Record<string, unknown>
    const visit = { request, reply, next: ownPath(next), attach: attachIn(attach) }
    const redirectTo = moved === undefined ? publicAddressFor(visit, context.publicUrl()) : null
    if (redirectTo !== null) return reply.redirect(redirectTo)
    return orRefused(visit, () => startAuthorization(context, provider, visit))
  })
  app.get(callbackPath, { schema }, (request, reply) => {
    const visit = { request, reply, next: null, attach: undefined }
    return orRefused(visit, () => handleCallback(context, provider, visit))
  })
  return () => (context.config.google ?? standIn()) !== undefined
}

/** The request of a browser, and the path to open after sign-in, once known. */
interface Visit {
  request: FastifyRequest
  reply: FastifyReply
  next: string | null
  attach: boolean | undefined
}

function attachIn(text: unknown): boolean | undefined {
  return text === 'yes' ? true : text === 'no' ? false : undefined
}

/** Returns the provider's URL and stores the state of the request in a cookie, for checking the callback. */
async function startAuthorization(
  context: AppContext,
  provider: Provider,
  { reply, next, attach }: Visit,
): Promise<string> {
  const configuration = await provider()
  const oauthState = {
    state: randomState(),
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
    next,
    attach,
    expiresAt: Date.now() + oauthStateLifeMs,
  }
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: context.publicUrl() + callbackPath,
    scope: 'openid email profile',
    prompt: 'select_account',
    state: oauthState.state,
    nonce: oauthState.nonce,
    code_challenge: await calculatePKCECodeChallenge(oauthState.verifier),
    code_challenge_method: 'S256',
  })
  await packOAuthState(context.db, reply, context.publicUrl(), oauthState)
  return url.href
}

async function handleCallback(
  context: AppContext,
  provider: Provider,
  visit: Visit,
): Promise<string> {
  const { request, reply } = visit
  const publicUrl = context.publicUrl()
  const oauthState = await unpackOAuthState(context.db, request, reply, publicUrl)
  if (!oauthState) throw new Refusal('forged-request')
  visit.next = oauthState.next
  const redirect = new URL(publicUrl + callbackPath)
  redirect.search = new URL(request.url, redirect).search
  const tokens = await authorizationCodeGrant(await provider(), redirect, {
    expectedState: oauthState.state,
    expectedNonce: oauthState.nonce,
    pkceCodeVerifier: oauthState.verifier,
    idTokenExpected: true,
  })
  const person = personIn(tokens.claims())
  const previous =
    request.headers.authorization === undefined ? await context.authenticate(request) : null
  const signedIn = await signIn(context, {
    ...person,
    ip: request.ip,
    userAgent: request.headers['user-agent'],
    previous,
    attach: oauthState.attach,
    now: context.clock.now(),
  })
  await completeSignIn(context, visit, signedIn, person)
  return withQuery(`${publicUrl}/new`, { next: oauthState.next })
}

const Verified = z.object({ email: Email, email_verified: z.literal(true) })

/** Requires an e-mail address that the provider has verified: others do not identify a user. */
function personIn(claims: IDToken | undefined) {
  const verified = parseSafely(Verified, claims)
  if (!verified.success) throw new Refusal('google-refused')
  return {
    email: verified.data.email,
    firstName: parseSafely(FirstName, claims?.given_name).data,
    lastName: parseSafely(LastName, claims?.family_name).data,
  }
}

/** Redirects errors to the sign-in screen: this URL is opened in a browser, so JSON would be useless. */
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

/** Maps an error of the provider, or a response that does not match the request, to a refusal. */
function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return new Refusal('google-refused')
  }
  return new Refusal(
    (error instanceof ClientError && errorCodes[error.code ?? '']) || 'server-error',
  )
}

const errorCodes: Record<string, RefusalCode> = {
  OAUTH_INVALID_RESPONSE: 'forged-request',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'forged-request',
  // The ID token has expired, or is not valid yet.
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'google-refused',
}

/**
 * Returns our URL under the public host name, or null if the browser already uses it. This machine has
 * several names (localhost, 127.0.0.1), and the cookie set here must be sent with the callback.
 */
function publicAddressFor({ request, next, attach }: Visit, publicUrl: string): string | null {
  const ours = new URL(publicUrl)
  const { host } = request.headers
  if (host === ours.host || !isLoopbackHost(host) || !isLoopback(ours.hostname)) return null
  return withQuery(`${publicUrl}/api/auth/google`, {
    moved: 'once',
    next,
    attach: attach === undefined ? null : attach ? 'yes' : 'no',
  })
}

function withQuery(address: string, fields: Record<string, string | null>): string {
  const given = Object.entries(fields).filter(
    (field): field is [string, string] => field[1] !== null,
  )
  return given.length > 0 ? `${address}?${new URLSearchParams(given).toString()}` : address
}

/** True if a Host header names this machine, with or without a port. */
function isLoopbackHost(hostHeader: string | undefined): boolean {
  return hostHeader !== undefined && isLoopback(hostHeader.toLowerCase().replace(/:\d{1,5}$/, ''))
}
