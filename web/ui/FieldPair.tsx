import type { ReactNode } from 'react'
import styles from './Field.module.css'

interface Props {
  children: ReactNode
  /** Side by side also on phones, for short fields. */
  short?: boolean
}

/** Two fields, side by side from 480 px. */
export function FieldPair({ children, short = false }: Props) {
  return (
    <div className={styles.pair} data-short={short || undefined}>
      {children}
    </div>
  )
}
