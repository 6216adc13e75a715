import { stintFigures } from '#web/race/stintFigures.ts'
import { useCarRace } from '#web/race/useCarRace.ts'
import { clockTickMs, useServerNow } from '#web/race/useServerNow.ts'
import { Button } from '#web/ui/Button.tsx'
import styles from './MoreSheet.module.css'

interface Props {
  sessionId: string
  onPress: () => void
}

/** Laps to pit and fuel, and the way to the litres, on screens so low that a word takes their place on the board. */
export function RefuelKey({ sessionId, onPress }: Props) {
  const { race, table } = useCarRace(sessionId)
  const now = useServerNow(clockTickMs)
  const figures = race && table && stintFigures(race, table, now)
  if (!figures) return null
  const { pit, fuel } = figures
  const litres = [fuel.litres, fuel.more].filter(Boolean).join(' ')
  return (
    <div className={styles.refuel}>
      <Button variant="quiet" onClick={onPress}>
        {`${pit.name} ${pit.value}, ${fuel.name} ${litres}`}
      </Button>
    </div>
  )
}
