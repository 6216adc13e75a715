import { type ReactNode, useId } from 'react'
import { Button } from '#web/ui/Button.tsx'
import typography from '#web/ui/theme/typography.module.css'
import styles from './Request.module.css'
import type { Stage } from './visit/consentRequest.ts'

/** A button's label and handler. */
type Act = readonly [label: string, act: () => void]

interface Props {
  /** Name of the request. */
  label: string
  /** Status text. */
  status: string
  stage: Stage
  reachable: boolean
  ask: Act
  /** Offered while the request is pending; without it the agent can only wait. */
  withdraw?: Act
  end: Act
  /** Further controls. */
  children?: ReactNode
}

/** One kind of request: its status and the button for the next step. */
export function Request({ label, status, stage, reachable, ask, withdraw, end, children }: Props) {
  const id = useId()
  const [text, act] = stage === 'granted' ? end : stage === 'asked' ? (withdraw ?? ask) : ask
  const waiting = stage === 'asked' && !withdraw
  return (
    <section className={styles.request} aria-labelledby={id} data-stage={stage}>
      <h3 id={id} className={typography.lead}>
        {label}
      </h3>
      <output className={styles.status}>{status}</output>
      <Button
        variant={stage === 'granted' ? 'danger' : stage === 'asked' ? 'quiet' : 'primary'}
        busy={waiting}
        disabled={!reachable && stage !== 'granted'}
        onClick={act}
      >
        {text}
      </Button>
      {children}
    </section>
  )
}
