import type { KnownAnswers } from '#client/channel/sessionAnswers.ts'
import type { Answer } from '#contract/answers.ts'
import type { Message } from '#contract/messages.ts'
import { pitThisLap, problemState } from '#contract/shared/problem.ts'

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
  return pitThisLap(answer, exitedAt, nowMs)
}
