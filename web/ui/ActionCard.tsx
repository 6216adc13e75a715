import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './ActionCard.module.css'

interface Props {
  to: string
  icon: ReactNode
  children: ReactNode
}

interface ButtonProps {
  icon: ReactNode
  children: ReactNode
  /** Disables the card if missing. */
  onAct?: () => void
}

/** An action card that acts on this page instead of linking. */
export function ActionButton({ icon, children, onAct }: ButtonProps) {
  return (
    <button type="button" className={styles.card} disabled={!onAct} onClick={onAct}>
      <span>{children}</span>
      {icon}
    </button>
  )
}

/** A card that links to one action. */
export function ActionCard({ to, icon, children }: Props) {
  return (
    <Link to={to} className={styles.card}>
      <span>{children}</span>
      {icon}
    </Link>
  )
}
