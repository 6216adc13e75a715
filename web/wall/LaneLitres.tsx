import { fillOfStop } from '#racing/race/lacksLitres.ts'
import { plannedFill } from '#racing/race/plannedFill.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { litresLetter } from '#web/message/letters.ts'
import { isEntered } from '#web/race/enteredFill.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { fuelText } from '#web/text/fuel.ts'
import styles from './LaneStop.module.css'

interface Props {
  race: CarRace
  /** Opens the form for the litres; null on a screen that only shows. */
  onLitres: (() => void) | null
  hasLetters: boolean
}

/** The litres of a stop in its lane: those of the plan, or that were entered. */
export function LaneLitres({ race, onLitres, hasLetters }: Props) {
  const now = useServerClock()
  const fill = fillOfStop(race.visits, race.fills.filter(isEntered))
  const planned = fill ? null : plannedFill(race, now())
  return (
    <section className={styles.litres} aria-label={fuelText.amount}>
      <small>{planned ? fuelText.litresPlanned : fuelText.amount}</small>
      <b>
        {fill
          ? fuelText.entry(fill.litres, fill.kind)
          : planned
            ? fuelText.entry(planned.litres, 'part')
            : fuelText.unknown}
      </b>
      {fill
        ? fill.enteredBy !== undefined && <small>{fuelText.enteredBy(fill.enteredBy)}</small>
        : onLitres && (
            <button type="button" className={styles.enter} onClick={onLitres}>
              {hasLetters && <kbd aria-hidden>{litresLetter}</kbd>}
              {fuelText.enter}
            </button>
          )}
    </section>
  )
}
