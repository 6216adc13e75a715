import type { ReactNode } from 'react'
import styles from './Empty.module.css'
import gears from './gears.module.css'

interface Props {
  /** A heading of its own, where the text does not begin with one. */
  title?: string
  children: ReactNode
  /** A time that waits at the right end. */
  figures?: boolean
}

/** A timing row waiting for a car, then what it says and how to change it. */
export function Empty({ title, children, figures = false }: Props) {
  return (
    <div className={styles.empty}>
      <div className={styles.row} aria-hidden>
        <span className={styles.plate}>---</span>
        <span className={styles.line} />
        {figures && <span className={styles.figures}>--:--</span>}
      </div>
      {title !== undefined && <h2 className={gears.h2}>{title}</h2>}
      <p>{children}</p>
    </div>
  )
}
