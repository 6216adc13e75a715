import { type Kysely, sql } from 'kysely'
import type { EpochMs } from '#contract/ids.ts'
import type { Tables } from '../db/tables.ts'
import { markOffline } from './logins.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Deletes what can no longer be used: ended logins, dead codes, anonymous users nobody can be again. */
export async function forgetExpired(db: Kysely<Tables>, now: EpochMs) {
  const at = new Date(now)
  await db.deleteFrom('logins').where('expires_at', '<=', at).execute()
  await db.deleteFrom('login_codes').where('expires_at', '<=', at).execute()
  await markOffline(db, now)
  await forgetUnreachable(db, now)
}

/** An anonymous user without a login can never sign in again; one that left no trace is dropped. */
async function forgetUnreachable(db: Kysely<Tables>, now: EpochMs) {
  await sql`
    delete from users u
    where u.is_anonymous
      and u.created_at < ${new Date(now - dayMs)}::timestamptz
      and not exists (select from logins where user_id = u.id)
      and not exists (select from team_access where user_id = u.id)
      and not exists (select from sessions where user_id = u.id)
      and not exists (select from messages where sent_by = u.id)
  `.execute(db)
}
