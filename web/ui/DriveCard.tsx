import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './DriveCard.module.css'

interface Props {
  /** Where it leads; none while that is not known, which disables it. */
  to: string | null
  children: ReactNode
  /** Large figures in the second slot, with a remark beside them. */
  figures?: ReactNode
  remark?: ReactNode
}

/** A board, because it leads to one. */
export function DriveCard({ to, children, figures, remark }: Props) {
  const inside = (
    <>
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
    </>
  )
  return to === null ? (
    <div className={styles.card} role="link" aria-disabled tabIndex={0}>
      {inside}
    </div>
  ) : (
    <Link to={to} className={styles.card}>
      {inside}
    </Link>
  )
}
