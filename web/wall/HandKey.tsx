import { ListOrdered } from 'lucide-react'
import { timingText } from '#web/text/timing.ts'
import { HandSheet } from '#web/timing/HandSheet.tsx'
import { type HandField, handLetters } from '#web/timing/handLetters.ts'
import styles from './SendKeys.module.css'
import type { CarLane } from './useLanes.ts'

interface Props {
  lane: CarLane
  /** The value whose entry is open; null if none is. */
  field: HandField | null
  onOpen: (field: HandField | null) => void
}

/** Opens the entry by hand of what race control shows of the chosen car; nothing for a session without a race. */
export function HandKey({ lane: { race }, field, onOpen }: Props) {
  if (!race?.race || !race.car) return null
  return (
    <>
      <button
        type="button"
        className={styles.switch}
        aria-haspopup="dialog"
        aria-label={timingText.place}
        onClick={() => onOpen('position')}
      >
        <kbd aria-hidden>{handLetters.position}</kbd>
        <ListOrdered aria-hidden />
      </button>
      {field && (
        <HandSheet
          raceId={race.race.id}
          car={race.car}
          field={field}
          onClose={() => onOpen(null)}
        />
      )}
    </>
  )
}
