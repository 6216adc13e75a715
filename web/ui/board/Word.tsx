import styles from './Word.module.css'

interface Props {
  children: string
  /** Solid: it arrived. Hollow: not yet. Flash: solid and hollow by turns, by the flash clock. */
  look: 'solid' | 'hollow' | 'flash'
  /** What it fills: a whole screen, the stage of a board, or a line of its own size. */
  fit: 'screen' | 'board' | 'line'
}

/** One word that fills what holds it. Its tone and fit come from the toned element around it. */
export function Word({ children, look, fit }: Props) {
  return (
    <p className={styles.word} data-look={look} data-fit={fit}>
      {children}
    </p>
  )
}
