import styles from './ThreeLetterPlate.module.css'
import { threeLetters } from './threeLetters.ts'

interface Props {
  /** The last name of a person, or the name of a team. */
  name: string
  /** Outlined: for people that are not in a car. */
  quiet?: boolean
}

/** Decoration: the name stands beside it, so it is not read out. */
export function ThreeLetterPlate({ name, quiet = false }: Props) {
  return (
    <span className={styles.plate} data-quiet={quiet || undefined} aria-hidden>
      {threeLetters(name)}
    </span>
  )
}
