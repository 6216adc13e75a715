import type { KnownAnswers } from '#client/channel/sessionAnswers.ts'
import type { Answer } from '#contract/answers.ts'
import { problemState } from '#contract/shared/problem.ts'

/** A report without a question, such as "Pit this lap", is shown for this long. */
const reportShownMs = 120_000

/**
 * Returns what the driver reports without being asked; null if nothing, or long ago. `exitedAt` is the last pit exit of
 * the car.
 */
export function reportOf(
  { answer, problem }: KnownAnswers,
  exitedAt: number | null,
  nowMs: number,
): Answer | null {
  if (problemState(problem, exitedAt, nowMs)) return problem
  return answer?.kind === 'PitThisLap' && nowMs - answer.receivedAt <= reportShownMs ? answer : null
}
