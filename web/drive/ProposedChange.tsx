import { X } from 'lucide-react'
import { driverChangeText as text } from '#web/text/driverChange.ts'
import styles from './DriverPanel.module.css'

interface Props {
  from: string
  /** The planned driver; null without a plan. */
  to: string | null
  onAccept: () => void
  onDismiss: () => void
}

/** The driver change that is proposed at a pit stop: one tap accepts the planned driver. */
export function ProposedChange({ from, to, onAccept, onDismiss }: Props) {
  return (
    <section className={styles.proposal} aria-label={text.proposal} data-proposal="">
      <button
        type="button"
        className={styles.accept}
        aria-label={to === null ? text.choose : text.accept(from, to)}
        onClick={onAccept}
      >
        <small>{to === null ? text.proposal : `${text.proposal} (${text.planned})`}</small>
        <b>{to === null ? text.choose : text.fromTo(from, to)}</b>
      </button>
      <button
        type="button"
        className={styles.dismiss}
        aria-label={text.dismiss}
        onClick={onDismiss}
      >
        <X size={28} aria-hidden />
      </button>
    </section>
  )
}
