import { wholeNumber } from '../wholeNumber.ts'
import styles from './Figure.module.css'

interface Props {
  /** Null is shown as `--`: a stale value is never shown for an unknown one. */
  value: number | null
  unit: string
}

/** A live value on the board with its unit. */
export function Figure({ value, unit }: Props) {
  return (
    <p className={styles.figure}>
      {/* It changes every second: not worth recording in a support visit. */}
      <b className={styles.value} data-openreplay-hidden="">
        {value === null ? '--' : wholeNumber(value)}
      </b>
      <span className={styles.unit}>{unit}</span>
    </p>
  )
}
