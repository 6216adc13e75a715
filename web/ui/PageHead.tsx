import type { ReactNode } from 'react'
import gears from './gears.module.css'
import styles from './PageHead.module.css'

interface Props {
  title: ReactNode
  sub?: ReactNode
}

/** Title of a page and a sentence about it. The title takes focus when the page is entered. */
export function PageHead({ title, sub }: Props) {
  return (
    <div className={styles.head}>
      <h1 className={gears.h1} tabIndex={-1}>
        {title}
      </h1>
      {sub !== undefined && <p className={gears.sub}>{sub}</p>}
    </div>
  )
}

interface SectionHeadProps {
  id?: string
  title: string
  /** A short remark at the right end. */
  remark?: ReactNode
}

/** Heading of a section: it stands on the rail of the list below. */
export function SectionHead({ id, title, remark }: SectionHeadProps) {
  return (
    <div className={styles.section}>
      <h2 className={gears.h2} id={id}>
        {title}
      </h2>
      {remark !== undefined && <span className={styles.remark}>{remark}</span>}
    </div>
  )
}
