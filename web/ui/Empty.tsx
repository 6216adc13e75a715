import type { ReactNode } from 'react'
import styles from './Empty.module.css'
import typography from './theme/typography.module.css'

interface Props {
  /** Heading, unless the text starts with one. */
  title?: string
  children: ReactNode
  /** Shows an empty time at the right end. */
  figures?: boolean
}

/** Empty state of a list: an empty timing row, then the reason and what to do. */
export function Empty({ title, children, figures = false }: Props) {
  return (
    <div className={styles.empty}>
      <div className={styles.row} aria-hidden>
        <span className={styles.plate}>---</span>
        <span className={styles.line} />
        {figures && <span className={styles.figures}>--:--</span>}
      </div>
      {title !== undefined && <h2 className={typography.h2}>{title}</h2>}
      <p>{children}</p>
    </div>
  )
}
