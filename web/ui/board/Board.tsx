import type { ReactNode } from 'react'
import styles from './Board.module.css'
import tones from './tones.module.css'

interface Props {
  label: string
  /** Colour and fit of the word; none without a word. */
  tone: string | null
  /** The word, or what stands in its place. */
  children: ReactNode
  figures: ReactNode
  slot: ReactNode
  /** Word and figures in one line, for when something else needs the room. */
  compact?: boolean
}

/** The board over the wall: three slots on rails. Black in both themes. */
export function Board({ label, tone, children, figures, slot, compact = false }: Props) {
  return (
    <section
      className={`${styles.board} ${tones.toned}`}
      aria-label={label}
      data-tone={tone ?? undefined}
      data-compact={compact || undefined}
    >
      <div className={styles.stage}>{children}</div>
      <div className={styles.figures}>{figures}</div>
      <div className={styles.slot}>{slot}</div>
    </section>
  )
}

/** What stands on the board when no word does. Hollow, as a word is, until the driver's screen shows it. */
export function EmptyBoard({ hollow, children }: { hollow: boolean; children: ReactNode }) {
  return (
    <p className={styles.empty} data-hollow={hollow || undefined}>
      {children}
    </p>
  )
}
