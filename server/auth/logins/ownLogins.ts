import type { Kysely } from 'kysely'
import type { auth, SignedInDevice } from '#contract/auth.ts'
import { Refusal } from '#contract/refusal.ts'
import { isDeviceScope } from '#contract/shared/scopes.ts'
import type { AppContext, Caller } from '../../context.ts'
import type { Tables } from '../../db/schema/tables.ts'
import type { HandlersOf } from '../../http/route.ts'
import { clearLoginCookie } from './loginCookie.ts'

type OwnLogins = Pick<typeof auth, 'logins' | 'endLogin' | 'signOutEverywhere'>

/** Lists and ends the caller's logins. Live connections of ended logins are closed at once. */
export function ownLoginCalls(context: AppContext): HandlersOf<OwnLogins, Caller> {
  const { db, clock, live } = context
  return {
    logins: ({ caller }) => listLogins(db, caller, clock.now()),

    async endLogin({ input: { loginId }, caller, reply }) {
      const ended = await endLogins(db, caller, { only: loginId })
      if (ended.length === 0) throw new Refusal('not-found')
      live.endLogin(caller.userId, loginId)
      if (loginId === caller.loginId) clearLoginCookie(reply, context.publicUrl())
      return {}
    },

    async signOutEverywhere({ input: { devices }, caller }) {
      const ended = await endLogins(db, caller, { devices })
      for (const loginId of ended) live.endLogin(caller.userId, loginId)
      return { ended: ended.length }
    },
  }
}

/** Lists logins: the caller's current login first, then by last use. */
async function listLogins(
  db: Kysely<Tables>,
  { userId, loginId }: Caller,
  now: number,
): Promise<SignedInDevice[]> {
  const rows = await db
    .selectFrom('logins')
    .select(['id', 'device', 'scopes', 'browser', 'system'])
    .select(['created_at', 'last_used_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', new Date(now))
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute()
  const logins = rows.map(row => ({
    id: row.id,
    device: row.device,
    scopes: row.scopes?.filter(isDeviceScope) ?? null,
    browser: row.browser,
    system: row.system,
    createdAt: row.created_at.getTime(),
    lastUsedAt: row.last_used_at.getTime(),
    expiresAt: row.expires_at.getTime(),
    isThis: row.id === loginId,
  }))
  return logins.sort((a, b) => Number(b.isThis) - Number(a.isThis))
}

/** Deletes one of the caller's logins, or all but the current one. Returns the ids of the deleted logins. */
async function endLogins(
  db: Kysely<Tables>,
  { userId, loginId }: Caller,
  which: { only: string } | { devices: boolean },
): Promise<string[]> {
  const ended = await db
    .deleteFrom('logins')
    .where('user_id', '=', userId)
    .$if('only' in which, query => query.where('id', '=', 'only' in which ? which.only : ''))
    .$if('devices' in which, query => query.where('id', '!=', loginId))
    .$if('devices' in which && !which.devices, query => query.where('device', 'is', null))
    .returning('id')
    .execute()
  return ended.map(({ id }) => id)
}
