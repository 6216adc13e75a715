import { useLayoutEffect } from 'react'
import { keepPrerendered } from '#web/device/prerendered.ts'
import { appText } from '#web/text/app.ts'
import { Logo } from '#web/ui/Logo.tsx'
import styles from './Starting.module.css'

/** Loading screen before the first screen, shown only after a delay. */
export function Starting() {
  useLayoutEffect(keepPrerendered, [])
  return (
    <output className={styles.starting} aria-label={appText.starting}>
      <Logo />
    </output>
  )
}
