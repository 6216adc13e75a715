import Check from 'lucide-react/icons/check'
import type { GivenAnswer } from '#client/driver/driverAnswers.ts'
import { minutesAndSeconds } from '#web/race/lapFigures.ts'
import { answersText } from '#web/text/answers.ts'
import { problemText } from '#web/text/problem.ts'
import styles from './Answering.module.css'
import { GivenWord } from './AnsweringView.tsx'
import type { AnsweringState } from './useAnswering.ts'

interface Props {
  state: AnsweringState
  /** The reported problem, if it fills the screen. */
  given: GivenAnswer | null
}

/** The reported problem, until it is taken back: a member of the team has it, or has got it. */
export function Problem({ state: { offersPit, give }, given }: Props) {
  if (!given) return null
  const { isStored, got } = given
  const known = isStored ? answersText.teamHasIt : answersText.sending
  return (
    <section className={styles.problem}>
      <button
        type="button"
        className={styles.takeBack}
        aria-label={answersText.takeBackProblem}
        onClick={() => give('TakenBack')}
      >
        <GivenWord word={answersText.word('Problem')} isStored={isStored} />
        <span>{got ? <GotIt got={got} /> : known}</span>
        <small>{answersText.takeBack}</small>
      </button>
      <output className={styles.announcement}>
        {`${answersText.word('Problem')}: ${got ? problemText.by(got.by) : known}`}
      </output>
      {offersPit && (
        <button
          type="button"
          className={`${styles.zone} ${styles.yes} ${styles.pit}`}
          onClick={() => give('PitThisLap')}
        >
          {answersText.word('PitThisLap')}
        </button>
      )}
    </section>
  )
}

/** A member of the team has got the driver's problem. */
function GotIt({ got: { by, afterMs } }: { got: NonNullable<GivenAnswer['got']> }) {
  const after = problemText.after(minutesAndSeconds(Math.floor(Math.max(0, afterMs) / 1000)))
  return (
    <>
      <span className={styles.got}>
        <Check aria-hidden strokeWidth={3} />
        {problemText.gotIt}
      </span>
      <small>{by === null ? after : `${by}, ${after}`}</small>
    </>
  )
}
