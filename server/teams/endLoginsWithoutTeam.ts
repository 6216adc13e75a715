import { type Kysely, sql } from 'kysely'
import type { UserId } from '#contract/ids.ts'
import { isOnOneDevice } from '../auth/logins/loginKind.ts'
import type { Tables } from '../db/schema/tables.ts'

/**
 * Ends the logins of somebody who joined by a code, can sign in nowhere else, and is in no team and waits for none: the
 * account has ended. A job deletes the user once nothing refers to them. Returns the ended logins, which the caller closes
 * after the commit.
 */
export async function endLoginsWithoutTeam(trx: Kysely<Tables>, userId: UserId): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from logins using users
    where logins.user_id = ${userId} and users.id = ${userId} and ${isOnOneDevice}
      and not exists (select from memberships where user_id = ${userId})
      and not exists (select from join_requests where user_id = ${userId})
    returning logins.id`.execute(trx)
  return rows.map(({ id }) => id)
}
