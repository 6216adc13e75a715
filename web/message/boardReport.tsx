import type { Answer } from '#contract/answers.ts'
import { answersText } from '#web/text/answers.ts'
import { messageText } from '#web/text/message.ts'
import { problemText } from '#web/text/problem.ts'
import { ageText, counterText } from '#web/ui/ages.ts'
import { AnswerPlate } from '#web/ui/board/AnswerPlate.tsx'
import type { ReceiptProps } from '#web/ui/board/Receipt.tsx'

/**
 * Adds a problem that a member has got, or that was taken back, to the receipt: beside the delivery of a message, else
 * in its place.
 */
export function withReport(
  receipt: ReceiptProps,
  report: Answer | null,
  nowMs: number,
): ReceiptProps {
  if (!report) return receipt
  const { kind, gotIt, receivedAt, at } = report
  const reportAnnouncement = problemText.sentence(report)
  if (receipt.text !== '')
    return {
      ...receipt,
      report: <AnswerPlate kind={kind}>{problemText.beside(report)}</AnswerPlate>,
      reportAnnouncement,
    }
  const age = messageText.ago(ageText(Math.max(0, nowMs - (gotIt?.at ?? receivedAt))))
  return {
    ...receipt,
    text: gotIt ? problemText.has(gotIt.by) : answersText.word('Problem'),
    age: gotIt ? `${problemText.after(counterText(gotIt.at - at))}, ${age}` : age,
    reportAnnouncement,
    action: <AnswerPlate kind={kind}>{answersText.word(kind)}</AnswerPlate>,
  }
}
