import type { Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { LoggedMessage } from '#contract/messages.ts'
import { mostLogged } from '#contract/messageTypes.ts'
import type { Tables } from '../db/tables.ts'
import { messageFromRow } from '../sessions/sessions.ts'

/**
 * At most `mostLogged` messages of a session, newest first: the newest, or those before a version. Whoever
 * calls has checked that it is a member.
 */
export async function messageLog(
  db: Kysely<Tables>,
  sessionId: SessionId,
  before: number = Number.POSITIVE_INFINITY,
): Promise<LoggedMessage[]> {
  const rows = await db
    .selectFrom('messages as m')
    .innerJoin('users as u', 'u.id', 'm.sent_by')
    .selectAll('m')
    .select(['u.first_name', 'u.last_name', 'u.email'])
    .where('m.session_id', '=', sessionId)
    .$if(Number.isFinite(before), query => query.where('m.version', '<', before))
    .orderBy('m.version', 'desc')
    .limit(mostLogged)
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
