import type { ReactNode } from 'react'
import styles from './Board.module.css'
import tones from './tones.module.css'

interface Props {
  label: string
  /** Colour and width of the word; null without a word. */
  tone: string | null
  /** The word, or its replacement. */
  children: ReactNode
  /** A line above the word; null without one. */
  head: ReactNode
  /** A line below the word; null without one. */
  slot: ReactNode
  /** A last slot, which brings its own rail. */
  foot?: ReactNode
  /** Word and figures in one line, to leave room for other content. */
  compact?: boolean
}

/** The message board: a line, the word and two slots on rails. Black in both themes. */
export function Board({ label, tone, children, head, slot, foot, compact = false }: Props) {
  return (
    <section
      className={`${styles.board} ${tones.toned}`}
      aria-label={label}
      data-tone={tone ?? undefined}
      data-compact={compact || undefined}
    >
      {head !== null && <div className={styles.head}>{head}</div>}
      <div className={styles.stage} data-stage={!compact || undefined}>
        {children}
      </div>
      {slot !== null && <div className={styles.slot}>{slot}</div>}
      {foot}
    </section>
  )
}

/** Content of a board without a word. Hollow, like a word, until the driver's screen shows it. */
export function EmptyBoard({ hollow, children }: { hollow: boolean; children: ReactNode }) {
  return (
    <p className={styles.empty} data-hollow={hollow || undefined}>
      {children}
    </p>
  )
}
