import { z } from 'zod'
import { EpochMs } from './ids.ts'
import { answerKinds } from './shared/messageTypes.ts'
import { maxWordLetters } from './shared/ownWords.ts'

export const AnswerKind = z.enum(answerKinds)
export type AnswerKind = z.infer<typeof AnswerKind>

/** Chosen by the phone for each press: a repeated frame is the same answer. */
export const AnswerId = z.uuid().toLowerCase()

/** The question that an answer belongs to. */
const Question = z.object({ type: z.string().min(1).max(maxWordLetters) })

/** A member has read a reported problem: `by` is their first name, for every screen of the team and the driver's. */
const GotIt = z.object({
  by: z.string().nullable(),
  at: EpochMs,
  /** The next number of the answers of the session. */
  number: z.int().min(1),
})

/** The driver's answer to a question, or a report without one. Only `gotIt` follows later. */
export const Answer = z.object({
  id: AnswerId,
  /** From 1, in the order in which the server stored the answers of the session, and which of them a member has got. */
  number: z.int().min(1),
  kind: AnswerKind,
  /** Version of the newest message that the phone knew; 0 before the first one. */
  version: z.int().min(0),
  /** Absent if that message asked nothing. */
  question: Question.optional(),
  /** When the driver decided, by the phone's estimate of the server's clock. */
  at: EpochMs,
  /** When the server stored it. */
  receivedAt: EpochMs,
  /** Present once a member has got the problem. */
  gotIt: GotIt.optional(),
})
export type Answer = z.infer<typeof Answer>
