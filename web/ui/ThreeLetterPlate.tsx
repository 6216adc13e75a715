import { Picture } from './Picture.tsx'
import styles from './ThreeLetterPlate.module.css'
import { threeLetters } from './threeLetters.ts'

interface Props {
  /** Last name of a person, or name of a team. */
  name: string
  /** Outlined: for people who are not in a car. */
  quiet?: boolean
  /** URL of a picture that replaces the letters, if there is one. */
  picture?: string | undefined
}

/** Decoration next to the full name, hence hidden from screen readers. */
export function ThreeLetterPlate({ name, quiet = false, picture }: Props) {
  return (
    <span className={styles.plate} data-quiet={quiet || undefined} aria-hidden>
      {threeLetters(name)}
      {picture !== undefined && <Picture key={picture} src={picture} />}
    </span>
  )
}
