import type { ReactNode } from 'react'
import styles from './Empty.module.css'
import typography from './theme/typography.module.css'

interface Props {
  /** Heading, unless the text starts with one. */
  title?: string
  children: ReactNode
}

/** Empty state of a list: the reason and what to do. */
export function Empty({ title, children }: Props) {
  return (
    <div className={styles.empty}>
      {title !== undefined && <h2 className={typography.h2}>{title}</h2>}
      <p>{children}</p>
    </div>
  )
}
