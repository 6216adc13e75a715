import type { Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { LoggedMessage } from '#contract/messages.ts'
import { pages } from '#contract/shared/storedBounds.ts'
import type { Tables } from '../db/schema/tables.ts'
import { answersByVersion } from './answers.ts'
import { storedMessage } from './messageFromRow.ts'

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
  { sessionId, before, limit = pages.messages }: Page,
): Promise<LoggedMessage[]> {
  const rows = await db
    .selectFrom('messages as m')
    .leftJoin('users as u', 'u.id', 'm.sent_by')
    .selectAll('m')
    .select(['u.first_name', 'u.last_name', 'u.email'])
    .where('m.session_id', '=', sessionId)
    .$if(before !== undefined, query => query.where('m.version', '<', before ?? 0))
    .orderBy('m.version', 'desc')
    .limit(limit)
    .execute()
  // A page that is not full reaches the first message, and before that the driver may have reported something.
  const isLast = rows.length < limit
  const answers = await answersByVersion(db, sessionId, {
    from: isLast ? 0 : (rows.at(-1)?.version ?? 0),
    to: before === undefined ? newestVersion : before - 1,
  })
  const withAnswers = (message: Omit<LoggedMessage, 'answers'>): LoggedMessage => {
    const given = answers.get(message.version)
    return given ? { ...message, answers: given } : message
  }
  const logged = rows.map(row =>
    withAnswers({
      ...storedMessage(row),
      sentBy:
        row.sent_by === null
          ? null
          : {
              id: row.sent_by,
              firstName: row.first_name,
              lastName: row.last_name,
              email: row.email,
            },
    }),
  )
  return isLast && answers.has(0) ? [...logged, withAnswers(beforeFirst)] : logged
}

/** The largest value of the column. */
const newestVersion = 2 ** 31 - 1

/** The entry of the state before the first message. */
const beforeFirst: LoggedMessage = {
  version: 0,
  type: null,
  pressedAt: null,
  sentAt: null,
  reachedAt: null,
  shownAt: null,
  copiedAt: null,
  expiresAt: null,
  sentBy: null,
}
