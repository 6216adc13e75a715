import { Picture } from './Picture.tsx'
import styles from './ThreeLetterPlate.module.css'
import { threeLetters } from './threeLetters.ts'

interface Props {
  /** The last name of a person, or the name of a team. */
  name: string
  /** Outlined: for people that are not in a car. */
  quiet?: boolean
  /** Where a picture is that stands for the letters, if there is one. */
  picture?: string | undefined
}

/** Decoration: the name stands beside it, so it is not read out. */
export function ThreeLetterPlate({ name, quiet = false, picture }: Props) {
  return (
    <span className={styles.plate} data-quiet={quiet || undefined} aria-hidden>
      {threeLetters(name)}
      {picture !== undefined && <Picture key={picture} src={picture} />}
    </span>
  )
}
