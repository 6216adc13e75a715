import type { Selectable } from 'kysely'
import type { EpochMs } from '#contract/ids.ts'
import type { Message } from '#contract/messages.ts'
import type { SessionsView } from '../db/schema/sessions.ts'

type MessageRow = Pick<
  Selectable<SessionsView>,
  | 'message_version'
  | 'message_type'
  | 'colour'
  | 'ask'
  | 'pressed_at'
  | 'sent_at'
  | 'sent_by'
  | 'reached_at'
  | 'shown_at'
  | 'copied_at'
  | 'expires_at'
>

/** Converts the message columns of a session, or of a log entry, to the contract's message. */
export function messageFromRow(row: MessageRow): Message {
  return {
    version: row.message_version,
    type: row.message_type,
    ...(row.colour && { colour: row.colour }),
    ...(row.ask && { ask: true }),
    pressedAt: ms(row.pressed_at),
    sentAt: ms(row.sent_at),
    sentBy: row.sent_by,
    reachedAt: ms(row.reached_at),
    shownAt: ms(row.shown_at),
    copiedAt: ms(row.copied_at),
    expiresAt: ms(row.expires_at),
  }
}

function ms(date: Date | null): EpochMs | null {
  return date?.getTime() ?? null
}
