import type { ReactNode } from 'react'
import styles from './Lane.module.css'

interface FigureProps {
  name: string
  place: string
  /** Before the name on a narrow screen, which has no room for a figure of its own. */
  lead?: string | undefined
  children: ReactNode
}

export function LaneFigure({ name, place, lead, children }: FigureProps) {
  return (
    <div className={styles.cell} data-cell={place}>
      <small data-lead={lead}>{name}</small>
      <b>{children}</b>
    </div>
  )
}

/** One of two figures that share a column. */
export function LanePair({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
