import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './DriveCard.module.css'

interface Props {
  to: string
  /** Disables the link. */
  disabled?: boolean
  children: ReactNode
  /** Large figures in the second slot, with a remark next to them. */
  figures?: ReactNode
  remark?: ReactNode
}

/** A link card that looks like a board, because it leads to the drive screen. */
export function DriveCard({ to, disabled = false, children, figures, remark }: Props) {
  return (
    <Link
      to={to}
      className={styles.card}
      aria-disabled={disabled || undefined}
      onClick={event => disabled && event.preventDefault()}
    >
      <span className={styles.lead}>
        <span>{children}</span>
        <ArrowRight aria-hidden />
      </span>
      {figures !== undefined && (
        <span className={styles.slot}>
          <span className={styles.figures}>{figures}</span>
          <span className={styles.remark}>{remark}</span>
        </span>
      )}
    </Link>
  )
}
