import styles from './Poster.module.css'

/** Two words per row. The style sheet has the font width of each row. */
const rows = [
  ['Easy', 'Go'],
  ['Push', 'Pit'],
  ['Fuel', 'FCY'],
  ['SC', 'Abort'],
] as const

/** Decoration on always-black ground: the message words on rails, one of them lit. Hidden from screen readers. */
export function Poster() {
  return (
    <div className={styles.poster} aria-hidden>
      {rows.map(words => (
        <div key={words.join(' ')} className={styles.row}>
          {words.map(word => (
            <span key={word} data-lit={word === 'Pit' || undefined}>
              {word}
            </span>
          ))}
        </div>
      ))}
    </div>
  )
}
