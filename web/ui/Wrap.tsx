import type { ReactNode } from 'react'
import styles from './Wrap.module.css'

interface Props {
  children: ReactNode
  /** Two columns from 1024 px, instead of one column of at most 608 px. */
  wide?: boolean
}

/** The page below the bar. */
export function Wrap({ children, wide = false }: Props) {
  return (
    <main className={styles.wrap} data-wide={wide || undefined}>
      {children}
    </main>
  )
}

/** Things below each other, 20 px apart. */
export function Stack({ children }: { children: ReactNode }) {
  return <div className={styles.stack}>{children}</div>
}
