import type { CSSProperties } from 'react'
import styles from './Poster.module.css'

interface Props {
  /** Two words per row, and the font width that makes the row fill its line. */
  rows: readonly { words: readonly [string, string]; widthPercent: number }[]
  /** The highlighted word. */
  lit: string
}

/** Decoration on always-black ground: words on rails, one of them lit. Hidden from screen readers. */
export function Poster({ rows, lit }: Props) {
  return (
    <div className={styles.poster} aria-hidden>
      {rows.map(({ words, widthPercent }) => (
        <div
          key={words.join(' ')}
          className={styles.row}
          style={{ '--width': `${widthPercent}%` } as CSSProperties}
        >
          {words.map(word => (
            <span key={word} data-lit={word === lit || undefined}>
              {word}
            </span>
          ))}
        </div>
      ))}
    </div>
  )
}
