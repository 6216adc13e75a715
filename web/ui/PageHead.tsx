import type { ReactNode } from 'react'
import styles from './PageHead.module.css'
import typography from './theme/typography.module.css'

/** Title and subtitle of a page. The title receives the focus when the page opens. */
export function PageHead({ title, sub }: { title: ReactNode; sub?: ReactNode }) {
  return (
    <div className={styles.head}>
      <h1 className={typography.h1} tabIndex={-1}>
        {title}
      </h1>
      {sub !== undefined && <p className={typography.sub}>{sub}</p>}
    </div>
  )
}

interface SectionHeadProps {
  id?: string
  title: string
  /** A short remark at the right end. */
  remark?: ReactNode
}

/** Heading of a section, on the rail of the list below. */
export function SectionHead({ id, title, remark }: SectionHeadProps) {
  return (
    <div className={styles.section}>
      <h2 className={typography.h2} id={id}>
        {title}
      </h2>
      {remark !== undefined && <span className={styles.remark}>{remark}</span>}
    </div>
  )
}
