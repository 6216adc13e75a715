import { appText } from '#web/text/app.ts'
import { Logo } from '#web/ui/Logo.tsx'
import styles from './Starting.module.css'

/** The moment before the first screen. It shows only when that takes long. */
export function Starting() {
  return (
    <output className={styles.starting} aria-label={appText.starting}>
      <Logo />
    </output>
  )
}
