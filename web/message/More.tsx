import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { RefuelSheet } from '#web/race/RefuelSheet.tsx'
import { messageText } from '#web/text/message.ts'
import { wordsText } from '#web/text/words.ts'
import { type Coloured, isOfMore, toneOf } from '#web/ui/board/tone.ts'
import tones from '#web/ui/board/tones.module.css'
import { AllCars } from './AllCars.tsx'
import styles from './More.module.css'
import { MoreSheet } from './MoreSheet.tsx'
import type { Asking } from './useAsking.ts'
import { useWords } from './useWords.ts'
import { vibratePress } from './vibratePress.ts'

interface Props {
  teamId: string
  sessionId: string
  /** The number of the car in a sentence; undefined if the session has none. */
  car?: string | undefined
  current: Coloured | null
  disabled: boolean
  asking: Asking
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  onPress: (message: Coloured, ask: boolean) => void
}

/** The tenth key: opens the sheet of further messages. Shows the current message if it came from there. */
export function More(props: Props) {
  const { teamId, sessionId, car, current, disabled, asking, isOpen, onOpen, onPress } = props
  const words = useWords(teamId, `session:${sessionId}`)
  /** The sheet that has replaced that of the messages. */
  const [other, setOther] = useState<'refuel' | 'all' | null>(null)
  const shown = current && isOfMore(current) ? current : null
  const replaceBy = (sheet: 'refuel' | 'all') => {
    onOpen(false)
    setOther(sheet)
  }
  return (
    <>
      <button
        type="button"
        className={`${styles.more} ${tones.toned}`}
        data-tone={shown ? (toneOf(shown) ?? undefined) : undefined}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-keyshortcuts="Shift+M"
        disabled={disabled}
        onClick={() => onOpen(true)}
      >
        <Ellipsis aria-hidden />
        {wordsText.more}
        {shown && <span>{messageText.plate(shown.type)}</span>}
      </button>
      <MoreSheet
        {...{ teamId, sessionId, car, words, current, disabled, asking }}
        open={isOpen}
        onPress={(message, ask) => {
          vibratePress()
          onPress(message, ask)
        }}
        onRefuel={() => replaceBy('refuel')}
        onAll={() => replaceBy('all')}
        onClose={() => onOpen(false)}
      />
      {other === 'refuel' && <RefuelSheet sessionId={sessionId} onClose={() => setOther(null)} />}
      {other === 'all' && <AllCars teamId={teamId} onClose={() => setOther(null)} />}
    </>
  )
}
