import { type Kysely, sql } from 'kysely'
import type { EpochMs } from '#contract/ids.ts'
import { dayMs } from '#contract/shared/durations.ts'
import type { Tables } from '../db/schema/tables.ts'

/** Deletes expired logins, expired codes and challenges, and unreachable anonymous users. */
export async function deleteExpired(db: Kysely<Tables>, now: EpochMs) {
  const at = new Date(now)
  await db.deleteFrom('logins').where('expires_at', '<=', at).execute()
  await db.deleteFrom('login_codes').where('expires_at', '<=', at).execute()
  await db.deleteFrom('television_codes').where('expires_at', '<=', at).execute()
  await db.deleteFrom('used_passkey_challenges').where('expires_at', '<=', at).execute()
  await deleteUnreachableUsers(db, now)
}

/** Deletes users without an e-mail, a passkey and a login, who can never sign in again, unless other data refers to them. */
async function deleteUnreachableUsers(db: Kysely<Tables>, now: EpochMs) {
  await sql`
    delete from users u
    where u.is_anonymous
      and u.created_at < ${new Date(now - dayMs)}::timestamptz
      and not exists (select from logins where user_id = u.id)
      and not exists (select from passkeys where user_id = u.id)
      and not exists (select from team_access where user_id = u.id)
      and not exists (select from sessions where user_id = u.id)
      and not exists (select from messages where sent_by = u.id)
  `.execute(db)
}
