import type { Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { LoggedMessage } from '#contract/messages.ts'
import type { Tables } from '../db/tables.ts'
import { messageFromRow } from '../sessions/sessions.ts'

/** More than a day at one a minute. */
const mostLines = 2000

/** The newest messages of a session, newest first. Whoever calls has checked that it is a member. */
export async function messageLog(
  db: Kysely<Tables>,
  sessionId: SessionId,
): Promise<LoggedMessage[]> {
  const rows = await db
    .selectFrom('messages as m')
    .innerJoin('users as u', 'u.id', 'm.sent_by')
    .selectAll('m')
    .select(['u.first_name', 'u.last_name', 'u.email'])
    .where('m.session_id', '=', sessionId)
    .orderBy('m.version', 'desc')
    .limit(mostLines)
    .execute()
  return rows.map(row => ({
    ...messageFromRow({ ...row, message_type: row.type, message_version: row.version }),
    sentBy: {
      id: row.sent_by,
      firstName: row.first_name,
      lastName: row.last_name,
      email: row.email,
    },
  }))
}
