import type { ReactNode } from 'react'
import { wholeNumber } from '../wholeNumber.ts'
import styles from './Figure.module.css'

interface Props {
  /** Null is shown as `--`: a stale value is never shown for an unknown one. */
  value: number | null
  unit: string
  /** Pushed to the other end, in red. */
  warning?: string | null
  /** At the right end of its line. */
  atEnd?: boolean
  /** Another figure at the end of its line. */
  aside?: ReactNode
}

/** A live value on the board with its unit. */
export function Figure({ value, unit, warning = null, atEnd = false, aside = null }: Props) {
  return (
    <div className={styles.figure} data-end={atEnd || undefined}>
      {/* It changes every second: not worth recording in a support visit. */}
      <b className={styles.value} data-openreplay-hidden="">
        {value === null ? '--' : wholeNumber(value)}
      </b>
      <span className={styles.unit}>{unit}</span>
      {warning !== null && <span className={styles.warning}>{warning}</span>}
      {aside !== null && <span className={styles.aside}>{aside}</span>}
    </div>
  )
}
