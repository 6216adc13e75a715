import { useLayoutEffect } from 'react'
import type { Driver } from '#client/driver/driver.ts'
import { afterPaint } from '#web/device/painted.ts'
import { FittedWord } from '#web/ui/board/FittedWord.tsx'
import styles from './OwnWord.module.css'

interface Props {
  driver: Driver
  version: number
  variant: 'solid' | 'flash'
  children: string
}

/** Shows an own word, as large as the screen allows. It reports itself as shown, because it is loaded later. */
export function OwnWord({ driver, version, variant, children }: Props) {
  useLayoutEffect(() => afterPaint(() => driver.message.painted(version)), [driver, version])
  return (
    <div className={styles.word}>
      <FittedWord variant={variant} breaks>
        {children}
      </FittedWord>
    </div>
  )
}
