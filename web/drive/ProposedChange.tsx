import { driverChangeText as text } from '#web/text/driverChange.ts'
import styles from './DriverPanel.module.css'

interface Props {
  from: string
  /** The planned driver; null without a plan. */
  to: string | null
  onAccept: () => void
  onDismiss: () => void
}

/** The driver change that is proposed at a pit stop: one tap confirms the planned driver. */
export function ProposedChange({ from, to, onAccept, onDismiss }: Props) {
  return (
    <section className={styles.proposal} aria-label={text.proposal} data-proposal="">
      <dl>
        <dt>{text.out}</dt>
        <dd>{from}</dd>
        <dt>{text.in}</dt>
        <dd>{to ?? text.noPlan}</dd>
      </dl>
      <button
        type="button"
        className={styles.accept}
        aria-label={to === null ? text.choose : text.accept(from, to)}
        onClick={onAccept}
      >
        {to === null ? text.choose : text.confirm}
      </button>
      <button type="button" className={styles.dismiss} onClick={onDismiss}>
        {text.dismiss}
      </button>
    </section>
  )
}
