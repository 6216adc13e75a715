import { checksText } from '#web/text/checks.ts'
import tones from '#web/ui/board/tones.module.css'
import { Word } from '#web/ui/board/Word.tsx'
import styles from './GetReady.module.css'

/** The word of the test flash, on the whole screen. TEST reuses the type size of EASY. */
export function TestWord({ variant = 'flash' }: { variant?: 'flash' | 'solid' }) {
  return (
    <div className={`${styles.word} ${tones.toned}`} data-tone="easy">
      <Word fit="screen" variant={variant}>
        {checksText.testWord}
      </Word>
    </div>
  )
}
