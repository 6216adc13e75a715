import { stintFigures } from '#web/race/stintFigures.ts'
import { useCarRace } from '#web/race/useCarRace.ts'
import { clockTickMs, useServerNow } from '#web/race/useServerNow.ts'
import { fuelText } from '#web/text/fuel.ts'
import { Button } from '#web/ui/Button.tsx'
import styles from './MoreSheet.module.css'

interface Props {
  sessionId: string
  onPress: () => void
}

/** A key with laps to pit and fuel that opens the fuel entry, on screens too low for both a word and the stint. */
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
        <span className={styles.key}>
          {fuelText.refuel}
          <small>{`${pit.name} ${pit.value}, ${fuel.name} ${litres}`}</small>
        </span>
      </Button>
    </div>
  )
}
