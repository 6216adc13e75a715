import { lazy, Suspense } from 'react'
import type { DriverMessageState } from '#client/driver/driverMessage.ts'
import { reloadWhenReachable } from '#web/device/reloadWhenReachable.ts'
import { answersText } from '#web/text/answers.ts'
import { FittedWord } from '#web/ui/board/FittedWord.tsx'
import styles from './Answering.module.css'
import { Speed } from './Speed.tsx'
import type { AnsweringState } from './useAnswering.ts'
import type { Gps } from './usePosition.ts'

// Loaded in parallel: nobody reports a problem in the first second.
const Problem = lazy(async () => ({
  default: (await import('./Problem.tsx').catch(reloadWhenReachable)).Problem,
}))

interface Props {
  state: AnsweringState
  shown: DriverMessageState
  gps: Gps
  /** In place of the speed after the race of the car. */
  finish: string | null
}

/** The question with its zones, the given answer, or the reported problem. */
export function AnsweringView({ state, shown, gps, finish }: Props) {
  const { view, given, isHeld } = state
  return (
    <>
      {/* Always rendered: screen readers announce only changes of a live region that exists already. */}
      <div aria-live="assertive">
        {view === 'question' && shown.message?.type && (
          <Question
            key={shown.message.version}
            word={shown.message.type}
            copied={shown.copied}
            state={state}
            {...{ gps, finish }}
          />
        )}
      </div>
      {view === 'answer' && given && (
        <section className={styles.answer}>
          <GivenWord word={answersText.word(given.kind)} isStored={given.isStored} />
          <output>{given.isStored ? answersText.sent : answersText.sending}</output>
        </section>
      )}
      <Suspense>
        {/* Rendered before it is needed, so that it is loaded then. */}
        <Problem
          state={state}
          given={view === 'problem' ? given : null}
          version={shown.message?.version ?? 0}
          {...{ gps, finish }}
        />
      </Suspense>
      {isHeld && view !== 'question' && (
        <p className={`${styles.strip} ${styles.alone}`} data-held="">
          <span>{answersText.keepHolding}</span>
        </p>
      )}
    </>
  )
}

interface QuestionProps extends Omit<Props, 'shown'> {
  word: string
  copied: boolean
}

function Question({ word, copied, state, ...speed }: QuestionProps) {
  const { isHeld, give } = state
  return (
    // The state of the connection is at its top.
    <section className={styles.question} data-question="">
      <Speed {...speed} small />
      <div className={styles.word}>
        <FittedWord variant={copied ? 'solid' : 'flash'} breaks>
          {answersText.question(word)}
        </FittedWord>
      </div>
      <button
        type="button"
        className={`${styles.zone} ${styles.yes}`}
        data-hold=""
        aria-label={answersText.yesTo(word)}
        onClick={() => give('Yes')}
      >
        {answersText.word('Yes')}
      </button>
      <button
        type="button"
        className={`${styles.zone} ${styles.no}`}
        data-hold=""
        aria-label={answersText.noTo(word)}
        onClick={() => give('No')}
      >
        {answersText.word('No')}
      </button>
      <button
        type="button"
        className={styles.strip}
        data-hold=""
        data-held={isHeld ? '' : undefined}
        onClick={event => {
          // Screen readers and keys press without a pointer; a finger has to hold.
          if (event.detail === 0) give('Problem')
        }}
      >
        <span>{isHeld ? answersText.keepHolding : answersText.hold}</span>
      </button>
    </section>
  )
}

/** The answer as a word, in outline until the server has stored it. */
export function GivenWord({ word, isStored }: { word: string; isStored: boolean }) {
  return (
    <span className={styles.given}>
      <FittedWord variant={isStored ? 'solid' : 'hollow'}>{word}</FittedWord>
    </span>
  )
}
