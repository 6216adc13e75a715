import type { ReactNode } from 'react'
import type { Answer } from '#contract/answers.ts'
import { useServerNow } from '#web/race/useServerNow.ts'
import { answersText } from '#web/text/answers.ts'
import { problemText } from '#web/text/problem.ts'
import { counterText } from '#web/ui/ages.ts'
import { FittedWord } from '#web/ui/board/FittedWord.tsx'
import tones from '#web/ui/board/tones.module.css'
import typography from '#web/ui/theme/typography.module.css'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import styles from './ProblemBoard.module.css'
import { useGotIt } from './useGotIt.ts'
import { useProblemAlarm } from './useProblemAlarm.ts'

export interface ProblemProps {
  /** The session of the phone that reported it. */
  sessionId: string
  problem: Answer
  /** The car in a sentence, for screen readers. */
  car: string
  driver: string
  /** The lap that the car is on; null if it is not known. */
  lap: number | null
  /** Its speed, or that it cannot be reached. */
  state: string | null
  /** True if the driver has added "Pit this lap". */
  pitsThisLap: boolean
  /** The message on the driver's screen beside the problem. */
  under: ReactNode
  /** False for viewers and televisions. */
  mayGet: boolean
  /** On the key of a screen with keys. */
  letter?: string | undefined
  /** True where nothing else announces it to screen readers. */
  announces?: boolean
}

/** A problem of the driver in place of a board or a lane: white, until a member has got it. */
export function ProblemBoard(props: ProblemProps) {
  const { sessionId, problem, car, driver, lap, state, under, mayGet, letter, announces } = props
  const now = useServerNow(250)
  const got = useGotIt(sessionId)
  useProblemAlarm(problem.id)
  const word = answersText.word('Problem')
  const who = lap === null ? driver : `${driver}, ${problemText.lap(wholeNumber(lap))}`
  return (
    <section className={styles.problem} aria-label={word} data-problem>
      <div className={styles.grid}>
        <p className={styles.who} data-openreplay-hidden="">
          {props.pitsThisLap && <b>{answersText.word('PitThisLap')}</b>}
          <span>{who}</span>
          {state !== null && <span>, {state}</span>}
        </p>
        <div className={`${styles.word} ${tones.toned}`} role={announces ? 'alert' : undefined}>
          <span className={typography.hidden}>{car}</span>
          <FittedWord variant="solid">{word}</FittedWord>
        </div>
        <p className={styles.age} role="timer">
          {counterText(now - problem.at)}
        </p>
        {mayGet && (
          <button
            type="button"
            className={styles.gotIt}
            data-got-it
            aria-label={problemText.gotItOf(car)}
            disabled={got.isPending}
            onClick={() => got.mutate(problem.id)}
          >
            {letter !== undefined && <kbd aria-hidden>{letter}</kbd>}
            {problemText.gotIt}
          </button>
        )}
        <div className={styles.under}>{under}</div>
      </div>
    </section>
  )
}
