import { appText } from '#web/text/app.ts'
import { Logo } from '#web/ui/Logo.tsx'
import styles from './Starting.module.css'

/** Loading screen: the mark at the place where index.html paints it. */
export function Starting() {
  return (
    <output className={styles.starting} aria-label={appText.starting}>
      <Logo />
    </output>
  )
}
