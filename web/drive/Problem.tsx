import Check from 'lucide-react/icons/check'
import type { GivenAnswer } from '#client/driver/driverAnswers.ts'
import { answersText } from '#web/text/answers.ts'
import { problemText } from '#web/text/problem.ts'
import { counterText } from '#web/ui/ages.ts'
import styles from './Answering.module.css'
import { GivenWord } from './AnsweringView.tsx'
import { Speed } from './Speed.tsx'
import type { AnsweringState } from './useAnswering.ts'
import type { Gps } from './usePosition.ts'

interface Props {
  state: AnsweringState
  /** The reported problem, if it fills the screen. */
  given: GivenAnswer | null
  /** The newest version of the message that the phone knows. */
  version: number
  gps: Gps
  finish: string | null
}

/** The reported problem, until it is taken back: full screen, or a plate over a newer message or the laps. */
export function Problem({ state, given, version, ...speed }: Props) {
  const { plate, addedPit } = state
  const shown = given ?? (plate?.kind === 'Problem' ? plate : null)
  return (
    <>
      {given && <FullProblem state={state} given={given} />}
      {given && <Speed {...speed} small />}
      {plate && (
        // A press that began over an older message does not acknowledge a newer one.
        <Plate key={version} plate={plate} state={state} />
      )}
      {/* Always rendered: screen readers announce only changes of a live region that exists already. */}
      <output className={styles.announcement}>
        {shown &&
          `${answersText.word('Problem')}: ${shown.gotIt ? problemText.by(shown.gotIt.by) : problemLine(shown)}`}
        {shown && addedPit && `. ${problemText.ownPit}: ${pitLine(addedPit)}`}
      </output>
    </>
  )
}

function problemLine({ isStored }: GivenAnswer): string {
  return isStored ? problemText.notAnswered : answersText.sending
}

function pitLine({ isStored }: GivenAnswer): string {
  return isStored ? answersText.sent : answersText.sending
}

/** The driver's announcement, below what it needs or how far it is. */
function OwnPit({ line }: { line: string }) {
  return (
    <>
      <small>{line}</small> <span>{problemText.ownPit}</span>
    </>
  )
}

function FullProblem({ state, given }: Pick<Props, 'state'> & { given: GivenAnswer }) {
  const { offersPit, addedPit, give } = state
  const { isStored, gotIt } = given
  return (
    <section className={styles.problem} data-full-problem="">
      <button
        type="button"
        className={styles.takeBack}
        data-hold=""
        aria-label={problemText.takeBackProblem}
        onClick={() => give('TakenBack')}
      >
        <GivenWord word={answersText.word('Problem')} isStored={isStored} />
        <span>{gotIt ? <GotIt gotIt={gotIt} /> : problemLine(given)}</span>
        <small>{problemText.takeBack}</small>
      </button>
      {offersPit && (
        <button
          type="button"
          className={`${styles.zone} ${styles.pit}`}
          data-hold=""
          onClick={() => give('PitThisLap')}
        >
          <OwnPit line={problemText.tapToAdd} />
        </button>
      )}
      {addedPit && (
        <p className={`${styles.zone} ${styles.pit}`} data-hollow={!addedPit.isStored || undefined}>
          <OwnPit line={pitLine(addedPit)} />
        </p>
      )}
    </section>
  )
}

/** The reported problem or an unsent answer, above a message or the laps. Only a problem can be taken back. */
function Plate({ plate, state }: Pick<Props, 'state'> & { plate: GivenAnswer }) {
  const { offersPit, addedPit, give } = state
  const { kind, isStored, gotIt } = plate
  const isProblem = kind === 'Problem'
  return (
    <div
      className={styles.plate}
      data-hollow={!isStored || undefined}
      data-plate={offersPit || addedPit ? 'pit' : ''}
    >
      <button type="button" data-hold="" disabled={!isProblem} onClick={() => give('TakenBack')}>
        <b>{answersText.word(kind)}</b>
        <span>
          {gotIt && (
            <span className={styles.got}>
              <Check aria-hidden strokeWidth={3} />
              <span>{problemText.by(gotIt.by)}</span>
            </span>
          )}
          {isProblem ? problemText.takeBack : answersText.sending}
        </span>
      </button>
      {offersPit && (
        <button type="button" data-hold="" onClick={() => give('PitThisLap')}>
          <OwnPit line={problemText.tapToAdd} />
        </button>
      )}
      {addedPit && (
        <strong data-hollow={!addedPit.isStored || undefined}>
          <OwnPit line={pitLine(addedPit)} />
        </strong>
      )}
    </div>
  )
}

/** Names the member who has got the problem, and the delay. */
function GotIt({ gotIt: { by, afterMs } }: { gotIt: NonNullable<GivenAnswer['gotIt']> }) {
  const after = problemText.after(counterText(afterMs))
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
