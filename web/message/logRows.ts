import type { Answer } from '#contract/answers.ts'
import type { LoggedMessage } from '#contract/messages.ts'
import { isExpired } from './delivery.ts'

/** A row of the message log: a message, or what the driver reported without a question. */
export type LogRow =
  | {
      readonly kind: 'message'
      readonly key: string
      readonly at: number
      readonly entry: LoggedMessage
    }
  | { readonly kind: 'report'; readonly key: string; readonly at: number; readonly answer: Answer }

/** How a message ended, as far as is known. */
export type LogResult =
  | { readonly is: 'answered'; readonly answer: Answer; readonly tookMs: number }
  | { readonly is: 'copied' | 'shown'; readonly tookMs: number }
  | { readonly is: 'expired' | 'unseen' }

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

/** The furthest that a message came, and how long after it was sent. */
export function logResult(entry: LoggedMessage, nowMs: number): LogResult {
  const { pressedAt, sentAt, shownAt, copiedAt, carriedOver } = entry
  const from = (carriedOver ? sentAt : pressedAt) ?? sentAt ?? 0
  const answer = entry.answers?.findLast(each => !isReport(each))
  if (answer) return { is: 'answered', answer, tookMs: answer.at - (shownAt ?? from) }
  if (copiedAt !== null) return { is: 'copied', tookMs: copiedAt - from }
  if (shownAt !== null) return { is: 'shown', tookMs: shownAt - from }
  return { is: isExpired(entry, nowMs) ? 'expired' : 'unseen' }
}

/** True for a problem, an answer without a question, and one that takes another back. */
function isReport({ kind, question }: Answer): boolean {
  return kind === 'Problem' || kind === 'TakenBack' || !question
}
