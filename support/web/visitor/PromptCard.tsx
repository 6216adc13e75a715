import { type MouseEvent, useEffect, useEffectEvent, useId, useRef } from 'react'
import { supportText } from '#support/web/text/visitor.ts'
import { Button } from '#web/ui/Button.tsx'
import dialog from '#web/ui/Dialog.module.css'
import typography from '#web/ui/theme/typography.module.css'
import styles from './PromptCard.module.css'

/** Options that the add-on passes to a prompt; ours are in supportVisit.ts. */
export interface PromptOptions {
  text: string
  /** Omitted for an explanation without a choice. */
  confirmBtn?: string
  declineBtn: string
  /** Plays the ring tone when shown. */
  rings?: boolean
  /** Rejects automatically after this time. The add-on has a timeout only for calls and control. */
  unansweredMs?: number
}

interface Props extends PromptOptions {
  onAnswer: (allowed: boolean) => void
}

/** The request, with Reject first and focused. Escape rejects. */
export function PromptCard({ text, confirmBtn, declineBtn, onAnswer }: Props) {
  const [title, description] = [useId(), useId()]
  const choices = useRef<HTMLDivElement>(null)
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // The screen below handles Escape, too.
    event.stopImmediatePropagation()
    event.preventDefault()
    onAnswer(false)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onEscape(event)
    window.addEventListener('keydown', listener, { capture: true })
    choices.current?.querySelector('button')?.focus({ preventScroll: true })
    return () => window.removeEventListener('keydown', listener, { capture: true })
  }, [])

  // An agent who already controls the page must not answer for the person.
  function allow({ nativeEvent }: MouseEvent) {
    if (nativeEvent.isTrusted) onAnswer(true)
  }
  return (
    <section
      role="alertdialog"
      aria-labelledby={title}
      aria-describedby={description}
      className={styles.card}
      data-openreplay-hidden=""
    >
      <h2 id={title} className={typography.h2}>
        {supportText.title}
      </h2>
      <p id={description} className={typography.sub}>
        {text}
      </p>
      <div ref={choices} className={dialog.choices}>
        <Button variant="quiet" onClick={() => onAnswer(false)}>
          {declineBtn}
        </Button>
        {confirmBtn !== undefined && <Button onClick={allow}>{confirmBtn}</Button>}
      </div>
    </section>
  )
}
