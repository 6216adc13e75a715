import { useEffect, useEffectEvent, useRef } from 'react'
import type { KnownAnswers } from '#client/channel/sessionAnswers.ts'
import type { Answer } from '#contract/answers.ts'
import { playTone, wantsSound } from '#web/device/sound.ts'
import { vibrate } from '#web/device/vibrate.ts'
import { isVisible } from '#web/device/visibility.ts'
import { answersText } from '#web/text/answers.ts'
import { teamAnswersText } from '#web/text/teamAnswers.ts'
import { AnswerPlate } from '#web/ui/board/AnswerPlate.tsx'
import styles from './AnswerLine.module.css'
import { ageText } from './ages.ts'
import { reportOf } from './report.ts'
import type { Asking } from './useAsking.ts'

const problemMs = [400, 150, 400]

interface Props {
  answers: KnownAnswers
  nowMs: number
}

/** The driver's report. */
export function AnswerLine({ answers, nowMs }: Props) {
  const report = reportOf(answers, nowMs)
  const isOpen = report?.kind === 'Problem'
  useProblemAlert(isOpen ? report : null)
  return (
    <div className={styles.line}>
      {isOpen && (
        <div role="alert">
          <AnswerPlate kind="Problem">{answersText.word('Problem')}</AnswerPlate>
        </div>
      )}
      <div aria-live="polite">
        {!isOpen && report && (
          <AnswerPlate kind={report.kind}>{answersText.word(report.kind)}</AnswerPlate>
        )}
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

/** Vibrates and sounds for a problem that is reported while this screen is open. */
function useProblemAlert(problem: Answer | null) {
  const known = useRef<string | null | undefined>(undefined)
  const alertOnce = useEffectEvent(() => {
    // A hidden page is alerted to it as an event of the team.
    if (!isVisible()) return
    vibrate(problemMs)
    if (wantsSound()) playTone()
  })
  const id = problem?.id ?? null
  useEffect(() => {
    if (known.current !== undefined && id !== null && id !== known.current) alertOnce()
    known.current = id
  }, [id])
}
