import type { Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { LoggedMessage } from '#contract/messages.ts'
import { messagesPerPage } from '#contract/shared/messageTypes.ts'
import type { Tables } from '../db/schema/tables.ts'
import { messageFromRow } from './messageFromRow.ts'

interface Page {
  sessionId: SessionId
  /** Only messages before this version; the newest ones if undefined. */
  before?: number | undefined
  /** Maximum number of messages. */
  limit?: number | undefined
}

/** Reads a page of a session's messages, newest first. The caller must have checked the membership. */
export async function messageLog(
  db: Kysely<Tables>,
  { sessionId, before, limit = messagesPerPage }: Page,
): Promise<LoggedMessage[]> {
  const rows = await db
    .selectFrom('messages as m')
    .innerJoin('users as u', 'u.id', 'm.sent_by')
    .selectAll('m')
    .select(['u.first_name', 'u.last_name', 'u.email'])
    .where('m.session_id', '=', sessionId)
    .$if(before !== undefined, query => query.where('m.version', '<', before ?? 0))
    .orderBy('m.version', 'desc')
    .limit(limit)
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
