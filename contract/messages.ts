import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { EpochMs, SessionId, UserId } from './ids.ts'
import { messageTypes } from './messageTypes.ts'
import { Person } from './users.ts'

export const MessageType = z.enum(messageTypes)
export type MessageType = z.infer<typeof MessageType>

/** How far a message has come, besides being stored: each happens once, in this order. */
export const ReceiptStage = z.enum(['reached', 'shown', 'copied'])
export type ReceiptStage = z.infer<typeof ReceiptStage>

/** When the driver's phone got it, had it painted on a visible page, and the driver acknowledged. */
export const Receipt = z.object({
  reachedAt: EpochMs.nullable(),
  shownAt: EpochMs.nullable(),
  copiedAt: EpochMs.nullable(),
})
export type Receipt = z.infer<typeof Receipt>

/**
 * The current message of a session: state with a version, never an event. A newer version
 * replaces an older one wherever the two meet. Version 0 is "nothing was ever sent".
 */
export const Message = Receipt.extend({
  version: z.int().min(0),
  type: MessageType.nullable(),
  /** When the sender's button was pressed, by the server's clock as the sender's device knows it. */
  pressedAt: EpochMs.nullable(),
  sentAt: EpochMs.nullable(),
  sentBy: UserId.nullable(),
  /** If it was not shown by then, it never is. None: it holds until it is replaced. */
  expiresAt: EpochMs.nullable(),
})
export type Message = z.infer<typeof Message>

/** One line of a session's log. */
export const LoggedMessage = Message.omit({ sentBy: true }).extend({ sentBy: Person.nullable() })
export type LoggedMessage = z.infer<typeof LoggedMessage>

export const messages = {
  set: command({
    auth: 'signed-in',
    lane: 'command',
    // More than a person may send (`server/messages/limits.ts`), so that ABORT is never counted out here.
    callsPerMinute: 120,
    summary: 'Sends one of the eight messages to the driver, or none to clear the screen.',
    input: z.object({
      sessionId: SessionId,
      type: MessageType.nullable(),
      /** Made by the sender: trying the same command again never sends twice. */
      commandId: z.uuid(),
      pressedAt: EpochMs.optional(),
    }),
    output: Message,
  }),
  log: read({
    auth: 'any-login',
    callsPerMinute: 60,
    summary:
      'A page of 100 messages of a session, newest first, with who sent them and how far they came.',
    input: z.object({
      sessionId: SessionId,
      /** The messages before this version. Without it, the newest. */
      before: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
    }),
    output: z.array(LoggedMessage),
  }),
}
