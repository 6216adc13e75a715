import { moreLetter } from '#web/message/letters.ts'
import { MoreSheet } from '#web/message/MoreSheet.tsx'
import { useAsking } from '#web/message/useAsking.ts'
import { useWords } from '#web/message/useWords.ts'
import { messageText } from '#web/text/message.ts'
import { wallText } from '#web/text/wall.ts'
import { wordsText } from '#web/text/words.ts'
import { type Coloured, isOfMore, toneOf } from '#web/ui/board/tone.ts'
import tones from '#web/ui/board/tones.module.css'
import styles from './SendKeys.module.css'

interface Props {
  teamId: string
  sessionId: string
  /** Name of the chosen car. */
  car: string
  current: Coloured | null
  disabled: boolean
  /** False while the keyboard shortcuts are off. */
  hasShortcut: boolean
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  onSend: (message: Coloured, ask: boolean) => void
}

/** The tenth key of the wall: opens the own words of the team, and Code 60. */
export function MoreKey(props: Props) {
  const { teamId, sessionId, car, current, disabled, hasShortcut, isOpen, onOpen, onSend } = props
  const words = useWords(teamId, `team:${teamId}`)
  const asking = useAsking()
  const shown = current && isOfMore(current) ? current : null
  return (
    <>
      <button
        type="button"
        className={`${styles.plate} ${tones.toned}`}
        data-tone={shown ? (toneOf(shown) ?? undefined) : undefined}
        data-more
        aria-label={shown ? wordsText.moreShows(messageText.plate(shown.type)) : wordsText.more}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-keyshortcuts={hasShortcut ? `Shift+${moreLetter}` : undefined}
        disabled={disabled}
        onClick={() => onOpen(true)}
      >
        <kbd aria-hidden>{wallText.shiftAnd(moreLetter)}</kbd>
        <span>{shown ? messageText.plate(shown.type) : wordsText.more}</span>
      </button>
      <MoreSheet
        {...{ teamId, sessionId, car, words, current, disabled, asking }}
        open={isOpen}
        onPress={(message, ask) => {
          asking.turnOff()
          onSend(message, ask)
        }}
        onClose={() => onOpen(false)}
      />
    </>
  )
}
