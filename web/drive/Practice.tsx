import Check from 'lucide-react/icons/check'
import { useEffect, useRef, useState } from 'react'
import { answersText } from '#web/text/answers.ts'
import { getReadyText as text } from '#web/text/checks.ts'
import answering from './Answering.module.css'
import { GivenWord } from './AnsweringView.tsx'
import styles from './GetReady.module.css'
import { storePractised } from './practised.ts'
import { TestWord } from './TestWord.tsx'
import { useHold } from './useHold.ts'

interface Props {
  /** Called when the word flashes, and when it ends. */
  onFlash: (flashes: boolean) => void
  onEnd: () => void
}

/** The driver's two gestures, once each: a tap copies a message, a hold reports a problem. Nothing is sent. */
export function Practice({ onFlash, onEnd }: Props) {
  const [step, setStep] = useState<'tap' | 'hold' | 'done'>('tap')
  const screen = useRef<HTMLElement>(null)
  const isHeld = useHold(screen, {
    enabled: step === 'hold',
    version: 0,
    onHold: () => {
      setStep('done')
      storePractised()
    },
  })
  const isTap = step === 'tap'
  useEffect(() => {
    onFlash(isTap)
    return () => onFlash(false)
  }, [isTap, onFlash])
  // As on the glass, Enter and Space are taps.
  useEffect(() => {
    screen.current?.focus({ preventScroll: true })
    const element = screen.current
    const tap = (event: Event) => {
      if (event.target instanceof Element && event.target.closest('button')) return
      if (event instanceof KeyboardEvent && event.key !== 'Enter' && event.key !== ' ') return
      setStep(now => (now === 'tap' ? 'hold' : now))
    }
    element?.addEventListener('click', tap)
    element?.addEventListener('keydown', tap)
    return () => {
      element?.removeEventListener('click', tap)
      element?.removeEventListener('keydown', tap)
    }
  }, [])
  return (
    <section ref={screen} className={styles.practice} aria-label={text.practice} tabIndex={-1}>
      <header>
        <p>{text.practice}</p>
        <button type="button" onClick={onEnd}>
          {step === 'done' ? text.done : text.skip}
        </button>
      </header>
      {step === 'done' ? (
        <div className={styles.problem}>
          <GivenWord word={answersText.word('Problem')} isStored />
        </div>
      ) : (
        <TestWord variant={isTap ? 'flash' : 'solid'} />
      )}
      <output className={styles.steps}>
        <Step text={isTap ? text.tapAnywhere : text.tapped} isDone={!isTap} />
        {!isTap && (
          <Step text={step === 'done' ? text.held : text.holdAnywhere} isDone={step === 'done'} />
        )}
      </output>
      {isHeld && (
        <p className={`${answering.strip} ${answering.alone}`} data-held="">
          <span>{answersText.keepHolding}</span>
        </p>
      )}
    </section>
  )
}

function Step({ text: step, isDone }: { text: string; isDone: boolean }) {
  return (
    <b data-done={isDone || undefined}>
      {isDone && <Check aria-hidden strokeWidth={3} />}
      {step}
    </b>
  )
}
