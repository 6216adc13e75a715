import type { Driver } from '#client/driver/driver.ts'
import type { MessageType } from '#contract/messages.ts'
import { Word } from '#web/ui/board/Word.tsx'
import styles from './DriveScreen.module.css'
import { OwnWord } from './OwnWord.tsx'

interface BoardWordProps {
  type: MessageType | null
  /** True for an own word, whose width the stylesheet does not know. */
  own: boolean
  driver: Driver
  version: number
  flashes: boolean
}

/** Text of the message. */
export function BoardWord({ type, own, driver, version, flashes }: BoardWordProps) {
  const variant = flashes ? 'flash' : 'solid'
  // Always rendered: screen readers announce only changes of a live region that exists already.
  return (
    <div className={styles.live} role="alert">
      {type !== null && own && (
        <OwnWord key={version} driver={driver} version={version} variant={variant}>
          {type}
        </OwnWord>
      )}
      {type !== null && !own && (
        // A repeated message is a new one, even with the same word.
        <Word key={version} fit="screen" variant={variant}>
          {type}
        </Word>
      )}
    </div>
  )
}
