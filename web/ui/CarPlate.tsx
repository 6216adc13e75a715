import styles from './CarPlate.module.css'

interface Props {
  number: string
  /** On a board, which is black in both themes. */
  onBoard?: boolean
  /** Outlined: it is in no session. */
  outlined?: boolean
  size?: 'small' | 'row' | 'large'
}

/** The number of a car on a plate, first wherever a car is named. */
export function CarPlate({ number, onBoard = false, outlined = false, size = 'small' }: Props) {
  return (
    <span
      className={styles.plate}
      data-board={onBoard || undefined}
      data-outlined={outlined || undefined}
      data-size={size}
    >
      {number}
    </span>
  )
}
