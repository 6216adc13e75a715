import styles from './CarPlate.module.css'

interface Props {
  number: string
  /** On a board, which is black in both themes. */
  onBoard?: boolean
  size?: 'small' | 'large'
}

/** The number of a car on a filled plate. */
export function CarPlate({ number, onBoard = false, size = 'small' }: Props) {
  return (
    <span className={styles.plate} data-board={onBoard || undefined} data-size={size}>
      {number}
    </span>
  )
}
