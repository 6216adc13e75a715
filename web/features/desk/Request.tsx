import { type ReactNode, useId } from 'react'
import { Button } from '#web/ui/Button.tsx'
import typography from '#web/ui/typography.module.css'
import type { Stage } from './asking.ts'
import styles from './Request.module.css'

/** What a button says, and what it does. */
type Act = readonly [label: string, act: () => void]

interface Props {
  /** What is asked for. */
  label: string
  /** How far it is, in words. */
  status: string
  stage: Stage
  reachable: boolean
  ask: Act
  /** While nobody has answered; without it there is only waiting. */
  takeBack?: Act
  end: Act
  /** What more can be done with it. */
  children?: ReactNode
}

/** One thing that is asked for: how far it is, and the button for what comes next. */
export function Request({ label, status, stage, reachable, ask, takeBack, end, children }: Props) {
  const id = useId()
  const [words, act] = stage === 'granted' ? end : stage === 'asked' ? (takeBack ?? ask) : ask
  const waiting = stage === 'asked' && !takeBack
  return (
    <section className={styles.request} aria-labelledby={id} data-stage={stage}>
      <h3 id={id} className={typography.lead}>
        {label}
      </h3>
      <output className={styles.status}>{status}</output>
      <Button
        look={stage === 'granted' ? 'danger' : stage === 'asked' ? 'quiet' : 'primary'}
        busy={waiting}
        disabled={!reachable && stage !== 'granted'}
        onClick={act}
      >
        {words}
      </Button>
      {children}
    </section>
  )
}
