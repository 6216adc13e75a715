import type { Selectable } from 'kysely'
import type { EpochMs } from '#contract/ids.ts'
import type { Message } from '#contract/messages.ts'
import type { Tables } from '../db/schema/tables.ts'

type MessageRow = Pick<
  Selectable<Tables['sessions_view']>,
  | 'message_version'
  | 'message_type'
  | 'colour'
  | 'ask'
  | 'carried_over'
  | 'obeyed'
  | 'by_plan'
  | 'pressed_at'
  | 'sent_at'
  | 'sent_by'
  | 'reached_at'
  | 'shown_at'
  | 'copied_at'
  | 'expires_at'
>

/** Converts the message columns of a session to the contract's message. */
export function messageFromRow(row: MessageRow): Message {
  return {
    version: row.message_version,
    type: row.message_type,
    ...(row.colour && { colour: row.colour }),
    ...(row.ask && { ask: true }),
    ...(row.carried_over && { carriedOver: true }),
    ...(row.obeyed && { obeyed: true }),
    ...(row.by_plan && { byPlan: true }),
    pressedAt: ms(row.pressed_at),
    sentAt: ms(row.sent_at),
    sentBy: row.sent_by,
    reachedAt: ms(row.reached_at),
    shownAt: ms(row.shown_at),
    copiedAt: ms(row.copied_at),
    expiresAt: ms(row.expires_at),
  }
}

/** The columns of a message by name: with `*` a prepared statement fails once the table has another column. */
export const messageColumns = [
  'version',
  'type',
  'colour',
  'ask',
  'carried_over',
  'obeyed',
  'by_plan',
  'pressed_at',
  'sent_at',
  'sent_by',
  'reached_at',
  'shown_at',
  'copied_at',
  'expires_at',
] as const satisfies (keyof Tables['messages'])[]

export type StoredMessage = Pick<Selectable<Tables['messages']>, (typeof messageColumns)[number]>

/** Converts a row of `messages` to the contract's message. */
export function storedMessage(row: StoredMessage): Message {
  return messageFromRow({ ...row, message_type: row.type, message_version: row.version })
}

function ms(date: Date | null): EpochMs | null {
  return date?.getTime() ?? null
}
