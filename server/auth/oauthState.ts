import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Tables } from '../db/schema/tables.ts'
import { serverKey } from '../db/serverKeys.ts'
import { cookieAttributes, cookieName } from './logins/cookies.ts'
import { decodeExactly } from './logins/issuedTokens.ts'

/** The state of an authorization request, checked when the provider redirects back. */
const OAuthState = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The path to open after sign-in. */
  next: z.string().nullable(),
  /** See `auth.verifyCode`. */
  attach: z.boolean().optional(),
  expiresAt: z.number(),
})
export type OAuthState = z.infer<typeof OAuthState>

/** Long enough to choose an account and enter a second factor. */
export const oauthStateLifeMs = 10 * 60 * 1000

/** Stores the state in a signed cookie, which scripts cannot read and which expires after ten minutes. */
export async function packOAuthState(
  db: Kysely<Tables>,
  reply: FastifyReply,
  publicUrl: string,
  oauthState: OAuthState,
) {
  const packed = Buffer.from(JSON.stringify(oauthState)).toString('base64url')
  const signature = await sign(db, packed)
  reply.setCookie(cookieName(publicUrl, 'google'), `${packed}.${signature.toString('base64url')}`, {
    ...cookieAttributes(publicUrl),
    maxAge: oauthStateLifeMs / 1000,
  })
}

/** Returns the verified state in this browser's cookie, or null, and clears the cookie: it is valid once. */
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
  const oauthState = OAuthState.parse(JSON.parse(Buffer.from(packed, 'base64url').toString()))
  return oauthState.expiresAt > Date.now() ? oauthState : null
}

async function sign(db: Kysely<Tables>, packed: string): Promise<Buffer> {
  return createHmac('sha256', await serverKey(db, 'google-oauthState'))
    .update(packed)
    .digest()
}

function isSame(a: Buffer, b: Buffer | undefined): boolean {
  return a.length === b?.length && timingSafeEqual(a, b)
}
