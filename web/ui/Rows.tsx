import ChevronRight from 'lucide-react/icons/chevron-right'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './Rows.module.css'

interface RowsProps {
  label?: string
  /** Id of the heading that names the list, instead of `label`. */
  labelledBy?: string
  children: ReactNode
}

/** A list that hangs from a rail. */
export function Rows({ label, labelledBy, children }: RowsProps) {
  return (
    <ul className={styles.rows} aria-label={label} aria-labelledby={labelledBy}>
      {children}
    </ul>
  )
}

interface RowProps {
  /** Decoration at the left end, such as a three-letter plate. */
  plate: ReactNode
  title: ReactNode
  detail?: ReactNode
  /** Figures at the right end. */
  figures?: ReactNode
  /** A button at the right end, in a row without a link. */
  action?: ReactNode
  /** Buttons in their own line on phones, at the right end from 600 px; below a row that is a link. */
  choices?: ReactNode
  /** Makes the whole row a link. */
  to?: string
}

export function Row({ plate, title, detail, figures, action, choices, to }: RowProps) {
  const buttons = choices !== undefined && <span className={styles.choices}>{choices}</span>
  const inside = (
    <>
      {plate}
      <span className={styles.text}>
        <span className={styles.title}>{title}</span>
        {detail !== undefined && <span className={styles.detail}>{detail}</span>}
      </span>
      <span className={styles.figures}>{figures}</span>
      {action !== undefined && <span className={styles.action}>{action}</span>}
      {to === undefined && buttons}
      {to !== undefined && <ChevronRight className={styles.chevron} aria-hidden />}
    </>
  )
  return (
    <li>
      {to === undefined ? (
        <div className={styles.row}>{inside}</div>
      ) : (
        <>
          <Link to={to} className={styles.row}>
            {inside}
          </Link>
          {buttons}
        </>
      )}
    </li>
  )
}

/** Text links, as the choices of a row. */
export function RowLinks({ children }: { children: ReactNode }) {
  return <span className={styles.links}>{children}</span>
}

/**
 * Column labels above the rows of a table, from 1024 px. Redundant for screen readers, hence hidden
 * from them.
 */
export function RowColumns({
  title,
  detail,
  figures,
}: Record<'title' | 'detail' | 'figures', string>) {
  return (
    <li className={styles.columns} aria-hidden>
      <span />
      <span>{title}</span>
      <span>{detail}</span>
      <span>{figures}</span>
      <span />
    </li>
  )
}

/** Turns rows into a table with columns from 1024 px. */
export function RowTable({ children }: { children: ReactNode }) {
  return <div className={styles.table}>{children}</div>
}
