import type { KnownAnswers } from '#client/channel/sessionAnswers.ts'
import type { Answer } from '#contract/answers.ts'
import type { Message } from '#contract/messages.ts'
import { problemState } from '#contract/shared/problem.ts'

/** A report without a question, such as "Pit this lap", is shown for this long. */
const reportShownMs = 120_000

/**
 * Returns what the driver reports without being asked; null if nothing, or long ago. `exitedAt` is the last pit exit of
 * the car. A problem that was taken back is not shown beside a newer message, which it seems to be about.
 */
export function reportOf(
  { answer, problem }: KnownAnswers,
  message: Pick<Message, 'type' | 'sentAt'> | null,
  exitedAt: number | null,
  nowMs: number,
): Answer | null {
  const state = problemState(problem, exitedAt, nowMs)
  const isCovered = message?.type != null && (message.sentAt ?? 0) > (problem?.receivedAt ?? 0)
  if (state && !(state === 'taken-back' && isCovered)) return problem
  return pitThisLap(answer, nowMs)
}

/** Returns "Pit this lap", which the driver may add to a problem; null without it, or long ago. */
export function pitThisLap(answer: Answer | null, nowMs: number): Answer | null {
  return answer?.kind === 'PitThisLap' && nowMs - answer.receivedAt <= reportShownMs ? answer : null
}
