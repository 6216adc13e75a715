import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { serverKey } from '../db/serverKeys.ts'
import type { Tables } from '../db/tables.ts'
import { cookieAttributes, cookieName } from './cookies.ts'
import { decodeExactly } from './issuedTokens.ts'

/** What has to be the same when a browser comes back from Google. */
const OAuthState = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Where in the app the person wanted to go. */
  next: z.string().nullable(),
  expiresAt: z.number(),
})
export type OAuthState = z.infer<typeof OAuthState>

/** Long enough to choose an account and to find one's second factor. */
export const oauthStateLifeMs = 10 * 60 * 1000

/** Ties a trip to this browser: signed, out of reach of scripts, gone after ten minutes. */
export async function packOAuthState(
  db: Kysely<Tables>,
  reply: FastifyReply,
  publicUrl: string,
  trip: OAuthState,
) {
  const packed = Buffer.from(JSON.stringify(trip)).toString('base64url')
  const signature = await sign(db, packed)
  reply.setCookie(cookieName(publicUrl, 'google'), `${packed}.${signature.toString('base64url')}`, {
    ...cookieAttributes(publicUrl),
    maxAge: oauthStateLifeMs / 1000,
  })
}

/** The trip this browser is on, if any. It is over with this: the cookie goes. */
export async function unpackOAuthState(
  db: Kysely<Tables>,
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): Promise<OAuthState | null> {
  const cookie = request.cookies[cookieName(publicUrl, 'google')]
  if (cookie === undefined) return null
  reply.clearCookie(cookieName(publicUrl, 'google'), cookieAttributes(publicUrl))
  const [packed = '', signature = ''] = cookie.split('.')
  if (!isSame(await sign(db, packed), decodeExactly(signature))) return null
  const trip = OAuthState.parse(JSON.parse(Buffer.from(packed, 'base64url').toString()))
  return trip.expiresAt > Date.now() ? trip : null
}

async function sign(db: Kysely<Tables>, packed: string): Promise<Buffer> {
  return createHmac('sha256', await serverKey(db, 'google-trip'))
    .update(packed)
    .digest()
}

function isSame(a: Buffer, b: Buffer | undefined): boolean {
  return a.length === b?.length && timingSafeEqual(a, b)
}
