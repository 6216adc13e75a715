import { type Kysely, sql } from 'kysely'
import type { EpochMs, UserId } from '#contract/ids.ts'
import { dayMs, hourMs } from '#contract/shared/durations.ts'
import type { Scope } from '#contract/shared/scopes.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { serverKey } from '../../db/serverKeys.ts'
import { describeBrowser } from './describeBrowser.ts'
import { createToken, deviceTokenPrefix, hashOf, loginTokenKeyName } from './issuedTokens.ts'

/** A browser's login expires after this long without use. */
export const browserLifeMs = 30 * dayMs
export const deviceLifeMs = 365 * dayMs
/** Minimum interval between writes of the expiry, so that authenticating usually only reads. */
export const extendIntervalMs = hourMs

/** Minimum interval between writes of the time of last use. */
export const touchEveryMs = hourMs

/** Maximum number of logins of a user, browsers and devices together. */
export const maxLogins = storedBounds.logins.max

export interface StartedLogin {
  id: string
  /** Returned only here: the database stores its SHA-256. */
  token: string
  expiresAt: EpochMs
}

/** A device that gets a token. */
export interface NewDevice {
  name: string
  scopes: readonly Scope[]
}

interface NewLogin {
  userId: UserId
  /** Undefined for a browser. */
  device?: NewDevice | undefined
  /** True for the browser of a television, which reads the pit wall of its team. */
  television?: boolean
  userAgent?: string | undefined
  withPasskey?: boolean
  now: EpochMs
}

/** Creates a login for a browser or a device. */
export async function startLogin(
  db: Kysely<Tables>,
  { userId, device, television = false, userAgent, withPasskey = false, now }: NewLogin,
): Promise<StartedLogin> {
  const token = createToken(await serverKey(db, loginTokenKeyName), userId)
  const { id, expires_at } = await db
    .insertInto('logins')
    .values({
      user_id: userId,
      token_hash: hashOf(token),
      ...(device
        ? { device: device.name, scopes: [...new Set(device.scopes)] }
        : {
            device: null,
            ...(television && { scopes: ['wall' as const] }),
            ...describeBrowser(userAgent),
          }),
      with_passkey: withPasskey,
      created_at: new Date(now),
      last_used_at: new Date(now),
      expires_at: new Date(now + (device === undefined ? browserLifeMs : deviceLifeMs)),
    })
    .returning(['id', 'expires_at'])
    .executeTakeFirstOrThrow()
  return {
    id,
    token: device ? deviceTokenPrefix + token : token,
    expiresAt: expires_at.getTime(),
  }
}

/** Deletes the logins of a user beyond `maxLogins`, least recently used first and never the newest. */
export async function endSurplusLogins(
  db: Kysely<Tables>,
  { userId, newest }: { userId: UserId; newest: string },
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
  return ended.map(({ id }) => id)
}

/** Extends a login that is in use. Returns the new expiry, or null if it was extended recently. */
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

/** Records when a login was last used, at most once an hour. */
export async function touchLogin(db: Kysely<Tables>, loginId: string, now: EpochMs) {
  await db
    .updateTable('logins')
    .set({ last_used_at: new Date(now) })
    .where('id', '=', loginId)
    .where('last_used_at', '<=', new Date(now - touchEveryMs))
    .execute()
}

/** Deletes a login. The caller closes its live connections after the commit. */
export async function deleteLogin(db: Kysely<Tables>, loginId: string) {
  await db.deleteFrom('logins').where('id', '=', loginId).execute()
}
