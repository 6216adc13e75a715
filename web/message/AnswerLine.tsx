import type { Answer } from '#contract/answers.ts'
import { answersText } from '#web/text/answers.ts'
import { teamAnswersText } from '#web/text/teamAnswers.ts'
import { ageText } from '#web/ui/ages.ts'
import { AnswerPlate } from '#web/ui/board/AnswerPlate.tsx'
import styles from './AnswerLine.module.css'
import type { Asking } from './useAsking.ts'

interface Props {
  /** The driver's answer without a question, unless it is about a problem. */
  report: Answer | null
  nowMs: number
}

/** The driver's report. */
export function AnswerLine({ report, nowMs }: Props) {
  return (
    <div className={styles.line}>
      <div aria-live="polite">
        {report && <AnswerPlate kind={report.kind}>{answersText.word(report.kind)}</AnswerPlate>}
      </div>
      {report && (
        <span className={styles.age}>{ageText(Math.max(0, nowMs - report.receivedAt))}</span>
      )}
    </div>
  )
}

/** The key that asks the next message. */
export function AskKey({ isOn, toggle }: Asking) {
  return (
    <button type="button" className={styles.ask} aria-pressed={isOn} onClick={toggle}>
      {teamAnswersText.ask}
    </button>
  )
}
