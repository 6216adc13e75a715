import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './ActionCard.module.css'

interface Props {
  to: string
  icon: ReactNode
  children: ReactNode
}

/** A card that leads to one action. */
export function ActionCard({ to, icon, children }: Props) {
  return (
    <Link to={to} className={styles.card}>
      <span>{children}</span>
      {icon}
    </Link>
  )
}
