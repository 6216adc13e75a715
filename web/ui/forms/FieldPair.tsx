import type { ReactNode } from 'react'
import styles from './Field.module.css'

/** Two fields, side by side from 480 px. */
export function FieldPair({ children }: { children: ReactNode }) {
  return <div className={styles.pair}>{children}</div>
}
