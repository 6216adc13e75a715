import type { ReactNode } from 'react'
import styles from './Wrap.module.css'

interface Props {
  children: ReactNode
  /** Two columns from 1024 px, instead of one column of at most 608 px. */
  wide?: boolean
}

/** The page's content below the bar. */
export function Wrap({ children, wide = false }: Props) {
  return (
    <main className={styles.wrap} data-wide={wide || undefined}>
      {children}
    </main>
  )
}

/** A vertical stack with gaps of 20 px. */
export function Stack({ children }: { children: ReactNode }) {
  return <div className={styles.stack}>{children}</div>
}
