import { type Kysely, sql } from 'kysely'
import type { EpochMs, UserId } from '#contract/ids.ts'
import type { Caller } from '../context.ts'
import { serverKey } from '../db/serverKeys.ts'
import type { Tables } from '../db/tables.ts'
import { describeBrowser } from './describeBrowser.ts'
import { createToken, hashOf, loginTokenKeyName } from './issuedTokens.ts'

const dayMs = 24 * 60 * 60 * 1000
/** A browser's login ends when it was not used for this long. */
export const browserLifeMs = 30 * dayMs
export const deviceLifeMs = 365 * dayMs
/** The expiry is written at most this often: looking at a login stays a read. */
export const extendIntervalMs = 60 * 60 * 1000

/** So is when it was last used. */
export const touchEveryMs = 60 * 60 * 1000

/** The most logins of a user at the same time, browsers and devices. */
export const maxLogins = 50

export interface StartedLogin {
  id: string
  /** The only copy: the database knows its SHA-256. */
  token: string
  expiresAt: EpochMs
}

interface NewLogin {
  userId: UserId
  /** The name of a device; none for a browser. */
  device?: string | undefined
  userAgent?: string | undefined
  now: EpochMs
}

/** Signs a user in: a browser, or a device with the name given. */
export async function startLogin(
  db: Kysely<Tables>,
  { userId, device, userAgent, now }: NewLogin,
): Promise<StartedLogin> {
  const token = createToken(await serverKey(db, loginTokenKeyName), userId)
  const { id, expires_at } = await db
    .insertInto('logins')
    .values({
      user_id: userId,
      token_hash: hashOf(token),
      device: device ?? null,
      ...(device === undefined && describeBrowser(userAgent)),
      created_at: new Date(now),
      last_used_at: new Date(now),
      expires_at: new Date(now + (device === undefined ? browserLifeMs : deviceLifeMs)),
    })
    .returning(['id', 'expires_at'])
    .executeTakeFirstOrThrow()
  return { id, token, expiresAt: expires_at.getTime() }
}

/** Ends the logins of a user beyond `maxLogins`, unused for longest first and never the newest one. */
export async function endSurplusLogins(
  db: Kysely<Tables>,
  { userId, newest, now }: { userId: UserId; newest: string; now: EpochMs },
): Promise<string[]> {
  const ended = await db
    .deleteFrom('logins')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('logins')
        .select('id')
        .where('user_id', '=', userId)
        .where('id', '!=', newest)
        .orderBy('last_used_at', 'desc')
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .offset(maxLogins - 1),
    )
    .returning('id')
    .execute()
  if (ended.length > 0) await markOffline(db, now, userId)
  return ended.map(({ id }) => id)
}

/** Moves the end of a login that is in use forward. Answers the new end, or null if it need not move yet. */
export async function extendLogin(
  db: Kysely<Tables>,
  loginId: string,
  now: EpochMs,
): Promise<EpochMs | null> {
  const at = sql<Date>`${new Date(now)}::timestamptz`
  const life = sql<number>`case when device is null then ${browserLifeMs}::float8 else ${deviceLifeMs}::float8 end`
  const row = await db
    .updateTable('logins')
    .set({ expires_at: sql<Date>`${at} + ${life} * interval '1 millisecond'` })
    .where('id', '=', loginId)
    .where('expires_at', '>', new Date(now))
    .where(
      'expires_at',
      '<',
      sql<Date>`${at} + (${life} - ${extendIntervalMs}::float8) * interval '1 millisecond'`,
    )
    .returning('expires_at')
    .executeTakeFirst()
  return row ? row.expires_at.getTime() : null
}

/** Notes that a login is in use, at most once an hour: looking at a login stays a read. */
export async function touchLogin(db: Kysely<Tables>, loginId: string, now: EpochMs) {
  await db
    .updateTable('logins')
    .set({ last_used_at: new Date(now) })
    .where('id', '=', loginId)
    .where('last_used_at', '<=', new Date(now - touchEveryMs))
    .execute()
}

/** Ends a login. Close its live connections after the commit. */
export async function deleteLogin(
  db: Kysely<Tables>,
  { loginId, userId }: Pick<Caller, 'loginId' | 'userId'>,
  now: EpochMs,
) {
  await db.deleteFrom('logins').where('id', '=', loginId).execute()
  await markOffline(db, now, userId)
}

/** Nobody is at the pit wall who has no browser signed in: one user, or all of them. */
export async function markOffline(db: Kysely<Tables>, now: EpochMs, userId?: UserId) {
  await db
    .updateTable('users')
    .set({ status: 'Inactive', active_team_id: null })
    .where('status', '=', 'Active')
    .$if(userId !== undefined, query => query.where('id', '=', userId ?? ''))
    .where(
      sql<boolean>`not exists (
        select from logins where user_id = users.id and device is null and expires_at > ${new Date(now)}::timestamptz
      )`,
    )
    .execute()
}
