import type { CSSProperties } from 'react'
import styles from './Poster.module.css'

interface Props {
  /** Two words a row, each row with the width-axis value that fills it. */
  rows: readonly { words: readonly [string, string]; widthPercent: number }[]
  /** The word that is lit. */
  lit: string
}

/** Always-black art: words on rails, one of them lit. Decoration, so it is not read out. */
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
