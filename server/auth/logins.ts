import { createHash, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { EpochMs, UserId } from '#contract/ids.ts'
import type { Tables } from '../db/tables.ts'
import type { Caller } from '../parts.ts'
import { tokenInCookie } from './loginCookie.ts'

const dayMs = 24 * 60 * 60 * 1000
/** A browser's login ends when it was not used for this long. */
export const browserLifeMs = 30 * dayMs
export const deviceLifeMs = 365 * dayMs
/** The expiry is written at most this often: looking at a login stays a read. */
export const slideEveryMs = 60 * 60 * 1000

export interface StartedLogin {
  id: string
  /** The only copy: the database knows its SHA-256. */
  token: string
  expiresAt: EpochMs
}

/** Signs a user in: a browser, or a device with the name given. */
export async function startLogin(
  db: Kysely<Tables>,
  { userId, device }: { userId: UserId; device?: string | undefined },
): Promise<StartedLogin> {
  const token = randomBytes(32).toString('base64url')
  const { id, expires_at } = await db
    .insertInto('logins')
    .values({
      user_id: userId,
      token_hash: hashOf(token),
      device: device ?? null,
      expires_at: fromNow(device === undefined ? browserLifeMs : deviceLifeMs),
    })
    .returning(['id', 'expires_at'])
    .executeTakeFirstOrThrow()
  return { id, token, expiresAt: expires_at.getTime() }
}

/** Tells who sent a request, from a browser's cookie or a device's `Authorization: Bearer`. */
export interface Authenticate {
  authenticate(request: FastifyRequest): Promise<Caller | null>
  /** The same for a WebSocket's upgrade. */
  authenticateHeaders(headers: IncomingHttpHeaders): Promise<Caller | null>
}

export function createAuthenticate(db: Kysely<Tables>, publicUrl: () => string): Authenticate {
  async function authenticateHeaders(headers: IncomingHttpHeaders) {
    const token = tokenIn(headers, publicUrl())
    return token === undefined ? null : callerWith(db, token)
  }
  return { authenticateHeaders, authenticate: request => authenticateHeaders(request.headers) }
}

/** What a request carries. One with an Authorization header is a device's: its cookies count for nothing. */
export function tokenIn(headers: IncomingHttpHeaders, publicUrl: string): string | undefined {
  if (headers.authorization === undefined) return tokenInCookie(headers, publicUrl)
  return /^Bearer +(\S+)$/i.exec(headers.authorization)?.[1]
}

async function callerWith(db: Kysely<Tables>, token: string): Promise<Caller | null> {
  if (!/^[\w-]{43}$/.test(token)) return null
  const row = await db
    .selectFrom('logins')
    .innerJoin('users', 'users.id', 'logins.user_id')
    .select(['logins.id', 'logins.user_id', 'logins.expires_at', 'users.is_anonymous'])
    .where('logins.token_hash', '=', hashOf(token))
    .where('logins.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  if (!row) return null
  return {
    userId: row.user_id,
    loginId: row.id,
    isAnonymous: row.is_anonymous,
    expiresAt: row.expires_at.getTime(),
  }
}

/** Moves the end of a login that is in use forward. Answers the new end, or null if it need not move yet. */
export async function slideLogin(db: Kysely<Tables>, loginId: string): Promise<EpochMs | null> {
  const life = sql<number>`case when device is null then ${browserLifeMs}::float8 else ${deviceLifeMs}::float8 end`
  const row = await db
    .updateTable('logins')
    .set({ expires_at: sql<Date>`now() + ${life} * interval '1 millisecond'` })
    .where('id', '=', loginId)
    .where('expires_at', '>', sql<Date>`now()`)
    .where(
      'expires_at',
      '<',
      sql<Date>`now() + (${life} - ${slideEveryMs}::float8) * interval '1 millisecond'`,
    )
    .returning('expires_at')
    .executeTakeFirst()
  return row ? row.expires_at.getTime() : null
}

/** Ends a login. Close its live lines after the commit. */
export async function deleteLogin(
  db: Kysely<Tables>,
  { loginId, userId }: Pick<Caller, 'loginId' | 'userId'>,
) {
  await db.deleteFrom('logins').where('id', '=', loginId).execute()
  await leaveThePitWall(db, userId)
}

/** Nobody is at the pit wall who has no browser signed in: one user, or all of them. */
export async function leaveThePitWall(db: Kysely<Tables>, userId?: UserId) {
  await db
    .updateTable('users')
    .set({ status: 'Inactive', active_team_id: null })
    .where('status', '=', 'Active')
    .$if(userId !== undefined, query => query.where('id', '=', userId ?? ''))
    .where(
      sql<boolean>`not exists (
        select from logins where user_id = users.id and device is null and expires_at > now()
      )`,
    )
    .execute()
}

function fromNow(ms: number) {
  return sql<Date>`now() + ${ms}::float8 * interval '1 millisecond'`
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
