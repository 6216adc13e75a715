import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { EpochMs, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Tables } from '../db/schema/tables.ts'
import { serverKey } from '../db/serverKeys.ts'
import { cookieAttributes, cookieName } from './logins/cookies.ts'
import { readSigned, signed } from './logins/issuedTokens.ts'

/** How long a challenge is valid; also the timeout of the browser's dialog. */
export const challengeLifeMs = 5 * 60 * 1000

const secretLength = 16
const timeLength = 6
const keyName = 'passkey-challenges'

/** The operation that a challenge authorizes: a sign-in, or adding a passkey to this user. */
export type Purpose = 'sign-in' | { addTo: UserId }

export interface Challenge {
  bytes: Buffer
  expiresAt: EpochMs
}

interface Site {
  db: Kysely<Tables>
  publicUrl: string
  now: EpochMs
}

/**
 * Creates a challenge for this browser. The challenge derives from a secret cookie, so nothing is stored
 * for requests that nobody answers, and knowing the challenge does not help another browser.
 */
export async function startChallenge(
  { db, publicUrl, now }: Site,
  reply: FastifyReply,
  purpose: Purpose,
): Promise<Buffer> {
  const key = await serverKey(db, keyName)
  const expiry = Buffer.alloc(timeLength)
  expiry.writeUIntBE(now + challengeLifeMs, 0, timeLength)
  const cookie = signed(key, Buffer.concat([randomBytes(secretLength), expiry]))
  reply.setCookie(cookieName(publicUrl, 'passkey'), cookie, {
    ...cookieAttributes(publicUrl),
    sameSite: 'strict',
    maxAge: challengeLifeMs / 1000,
  })
  return challengeOf(key, cookie, purpose)
}

/** Returns the challenge of this browser. Refuses if it has none for this purpose, or an expired one. */
export async function challengeIn(
  { db, publicUrl, now }: Site,
  request: FastifyRequest,
  purpose: Purpose,
): Promise<Challenge> {
  const cookie = request.cookies[cookieName(publicUrl, 'passkey')]
  if (cookie === undefined) throw new Refusal('passkey-refused')
  const key = await serverKey(db, keyName)
  const expiresAt = readSigned(key, cookie, secretLength + timeLength)?.readUIntBE(
    secretLength,
    timeLength,
  )
  if (expiresAt === undefined || expiresAt <= now) throw new Refusal('passkey-refused')
  return { bytes: challengeOf(key, cookie, purpose), expiresAt }
}

/** Marks an answered challenge as used. Refuses if it already was; the caller's transaction rolls back. */
export async function consumeChallenge(trx: Kysely<Tables>, { bytes, expiresAt }: Challenge) {
  const stored = await trx
    .insertInto('used_passkey_challenges')
    .values({
      challenge_hash: createHash('sha256').update(bytes).digest(),
      expires_at: new Date(expiresAt),
    })
    .onConflict(conflict => conflict.column('challenge_hash').doNothing())
    .returning(sql<number>`1`.as('stored'))
    .executeTakeFirst()
  if (!stored) throw new Refusal('passkey-refused')
}

export function clearChallenge(reply: FastifyReply, publicUrl: string) {
  reply.clearCookie(cookieName(publicUrl, 'passkey'), {
    ...cookieAttributes(publicUrl),
    sameSite: 'strict',
  })
}

function challengeOf(key: Buffer, cookie: string, purpose: Purpose): Buffer {
  const named = purpose === 'sign-in' ? purpose : `add to ${purpose.addTo}`
  return createHmac('sha256', key).update(`challenge to ${named}: ${cookie}`).digest()
}
