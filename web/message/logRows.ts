import type { Answer } from '#contract/answers.ts'
import type { LoggedMessage } from '#contract/messages.ts'
import { pressedAtOf } from './delivery.ts'

/** A row of the message log: a message, or what the driver reported without a question. */
export type LogRow =
  | {
      readonly kind: 'message'
      readonly key: string
      readonly at: number
      readonly entry: LoggedMessage
    }
  | { readonly kind: 'report'; readonly key: string; readonly at: number; readonly answer: Answer }

/** The rows of a log (newest first), each report after the messages that were sent before it. */
export function logRows(log: readonly LoggedMessage[]): LogRow[] {
  return log.flatMap((entry): LogRow[] => {
    const reports = (entry.answers ?? [])
      .filter(isReport)
      .map(answer => ({ kind: 'report' as const, key: answer.id, at: answer.at, answer }))
      .toReversed()
    // Version 0 is the state before the first message.
    if (entry.version === 0) return reports
    const at = entry.sentAt ?? entry.pressedAt ?? 0
    return [...reports, { kind: 'message', key: String(entry.version), at, entry }]
  })
}

/** Returns the answer to a question, and how long after the question was shown it was given; null without one. */
export function replyIn(entry: LoggedMessage): { answer: Answer; tookMs: number } | null {
  const answer = entry.answers?.findLast(each => !isReport(each))
  if (!answer) return null
  return { answer, tookMs: answer.at - (entry.shownAt ?? pressedAtOf(entry) ?? answer.at) }
}

/** True for a problem, an answer without a question, and one that takes another back. */
function isReport({ kind, question }: Answer): boolean {
  return kind === 'Problem' || kind === 'TakenBack' || !question
}
