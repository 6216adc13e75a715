import styles from './Word.module.css'

interface Props {
  children: string
  /**
   * Solid: it arrived. Hollow: not yet. Flash: alternates between both, driven by the flash clock.
   */
  variant: 'solid' | 'hollow' | 'flash'
  /** The area it fills: a whole screen, or the stage of a board. */
  fit: 'screen' | 'board'
}

/** One word that fills its container. Its tone and width are set by an ancestor of class `toned`. */
export function Word({ children, variant, fit }: Props) {
  return (
    <p className={styles.word} data-look={variant} data-fit={fit}>
      {children}
    </p>
  )
}
