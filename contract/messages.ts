import { z } from 'zod'
import { Answer, AnswerId } from './answers.ts'
import { command, read } from './endpoint.ts'
import { EpochMs, SessionId, UserId } from './ids.ts'
import { WordColour } from './ownWords.ts'
import { isAskable, knownTypes } from './shared/messageTypes.ts'
import { maxWordLetters } from './shared/ownWords.ts'
import { maxSuperseded } from './shared/superseding.ts'
import { Person } from './users.ts'

/** A type of the app's messages, such as `Pit`, or the text of a team's own word: shown on the driver's screen. */
export const MessageType = z.union([z.enum(knownTypes), z.string().min(1).max(maxWordLetters)])
export type MessageType = z.infer<typeof MessageType>

/** Delivery stages of a message after it is stored: each happens once, in this order. */
export const ReceiptStage = z.enum(['reached', 'shown', 'copied'])
export type ReceiptStage = z.infer<typeof ReceiptStage>

/**
 * When the driver's phone received the message, painted it on a visible page, and the driver acknowledged
 * it.
 */
export const Receipt = z.object({
  reachedAt: EpochMs.nullable(),
  shownAt: EpochMs.nullable(),
  copiedAt: EpochMs.nullable(),
})
export type Receipt = z.infer<typeof Receipt>

/**
 * The current message of a session: versioned state, never an event. A newer version always replaces an
 * older one. Version 0 means that nothing was ever sent.
 */
export const Message = Receipt.extend({
  version: z.int().min(0),
  type: MessageType.nullable(),
  /** Colour of the team's own word when it was sent. Absent for messages of the app. */
  colour: WordColour.optional(),
  /** Present if it is a question, which the driver answers. */
  ask: z.literal(true).optional(),
  /** When the sender pressed the button, by the server's clock as the sender's device knows it. */
  pressedAt: EpochMs.nullable(),
  sentAt: EpochMs.nullable(),
  sentBy: UserId.nullable(),
  /** The message is not shown after this time. Null: it is valid until it is replaced. */
  expiresAt: EpochMs.nullable(),
  /** Present if it was on the screen of another phone of the car when this one took over. */
  carriedOver: z.literal(true).optional(),
  /** Present if the server cleared the screen, because the driver obeyed the order that was on it. */
  obeyed: z.literal(true).optional(),
  /** Present if the plan sent it, in the name of the person who turned that on. */
  byPlan: z.literal(true).optional(),
})
export type Message = z.infer<typeof Message>

/**
 * One entry of a session's log. Version 0, the state before the first message, is listed only if the driver reported
 * something then.
 */
export const LoggedMessage = Message.omit({ sentBy: true }).extend({
  sentBy: Person.nullable(),
  /** The driver's answers while the phone knew this message as the newest one, the oldest first; absent if none. */
  answers: z.array(Answer).optional(),
})
export type LoggedMessage = z.infer<typeof LoggedMessage>

export const messages = {
  set: command({
    auth: 'signed-in',
    scopes: ['send'],
    lane: 'command',
    // Above the limit per person (`server/messages/messageLimits.ts`), so that this limit never blocks an ABORT.
    summary: 'Sends a message or a word of the team to the driver, or null to clear the screen.',
    input: z
      .object({
        /** It goes to the phone in the car of this session, and to those that may be in it; without a race or a car, to this one. */
        sessionId: SessionId,
        /** True from the pit wall: while no phone is in the car, it goes to all active phones of the car, not only to this one. */
        toCar: z.boolean().optional(),
        type: MessageType.nullable(),
        /** Sends the message as a question, which the driver answers. Orders cannot be questions. */
        ask: z.boolean().optional(),
        /** Chosen by the sender: retrying the same command is idempotent. */
        commandId: z.uuid(),
        /** Earlier commands of the sender without a response: they store nothing if they arrive after this one. */
        supersedes: z.array(z.uuid()).max(maxSuperseded).optional(),
        pressedAt: EpochMs.optional(),
        /** By the server's clock: refused if it arrives later, because the sender has seen it fail by then. */
        validUntil: EpochMs.optional(),
      })
      .refine(({ type, ask }) => ask !== true || isAskable(type), {
        path: ['ask'],
        message: 'FCY, SC, Code 60, ABORT and an empty screen cannot be asked.',
      }),
    /** The message of the phone in the car; without one, of the session. */
    output: Message.extend({
      /** The phone that got it: another one may have taken over the car before the command arrived. */
      sessionId: SessionId,
    }),
  }),
  gotIt: command({
    auth: 'signed-in',
    scopes: ['send'],
    lane: 'command',
    summary:
      "Tells everybody in the team and the driver that a member has got the driver's problem.",
    input: z.object({ sessionId: SessionId, answerId: AnswerId }),
    /** The problem, with the member who was first. */
    output: Answer,
  }),
  log: read({
    auth: 'any-login',
    scopes: ['read'],
    summary: 'A page of 100 messages of a session, newest first, with their senders and receipts.',
    input: z.object({
      sessionId: SessionId,
      /** Only messages before this version. Without it, the newest. */
      before: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
    }),
    output: z.array(LoggedMessage),
  }),
}
