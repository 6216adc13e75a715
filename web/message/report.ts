import type { KnownAnswers } from '#client/channel/sessionAnswers.ts'
import type { Answer } from '#contract/answers.ts'

/** A report without a question is shown for this long; a problem until it is taken back. */
const reportShownMs = 120_000

/** Returns what the driver reports without being asked; null if nothing, or long ago. */
export function reportOf({ answer, problem }: KnownAnswers, nowMs: number): Answer | null {
  if (problem?.kind === 'Problem') return problem
  if (!answer || nowMs - answer.receivedAt > reportShownMs) return null
  return answer.kind === 'PitThisLap' || answer.kind === 'TakenBack' ? answer : null
}
