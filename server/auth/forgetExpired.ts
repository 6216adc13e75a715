import { type Kysely, sql } from 'kysely'
import type { Tables } from '../db/tables.ts'
import { leaveThePitWall } from './logins.ts'

/** Deletes what can no longer be used: ended logins, dead codes, anonymous users nobody can be again. */
export async function forgetExpired(db: Kysely<Tables>) {
  const now = sql<Date>`now()`
  await db.deleteFrom('logins').where('expires_at', '<=', now).execute()
  await db.deleteFrom('login_codes').where('expires_at', '<=', now).execute()
  await leaveThePitWall(db)
  await forgetUnreachable(db)
}

/** An anonymous user without a login can never sign in again; one that left no trace is dropped. */
async function forgetUnreachable(db: Kysely<Tables>) {
  await sql`
    delete from users u
    where u.is_anonymous
      and u.created_at < now() - interval '1 day'
      and not exists (select from logins where user_id = u.id)
      and not exists (select from team_access where user_id = u.id)
      and not exists (select from sessions where user_id = u.id)
      and not exists (select from messages where sent_by = u.id)
  `.execute(db)
}
