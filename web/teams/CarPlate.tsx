import styles from './CarPlate.module.css'

interface Props {
  number: string
  /** Outlined: it is in no session. */
  quiet?: boolean
}

/** The number of a car, first wherever a car is named. */
export function CarPlate({ number, quiet = false }: Props) {
  return (
    <span className={styles.number} data-quiet={quiet || undefined}>
      {number}
    </span>
  )
}
