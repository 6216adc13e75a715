import type { PitLoss } from '#racing/race/pitLoss.ts'
import { ghostStops } from '#racing/timing/ghostStop.ts'
import { indexOfNumber } from '#racing/timing/indexOfNumber.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { timingText } from '#web/text/timing.ts'
import typography from '#web/ui/theme/typography.module.css'
import styles from './GhostLine.module.css'
import { behindText, ghostNow, placesText } from './ghostFigures.ts'
import { stopsOwed } from './stopsOwed.ts'
import type { OfficialState } from './useOfficialTiming.ts'

interface Props {
  state: OfficialState
  /** The car's number; null if the session has no car. */
  number: string | null
  /** The car's stops as the team measured them; null if none was. */
  own: PitLoss | null
}

/** The place of a car if it stopped now. */
export function GhostLine({ state: { run, isCurrent, isFlagCurrent }, number, own }: Props) {
  const ghost =
    isCurrent && run
      ? ghostNow(ghostStops({ ...run, flag: isFlagCurrent ? run.flag : null }, number, own))
      : null
  if (!ghost) return <HollowPlace places={null} text={timingText.pitNowUnknown} />
  return (
    <HollowPlace places={placesText(ghost)} text={`${timingText.pitNow}, ${behindText(ghost)}`} />
  )
}

interface OwedProps extends Omit<Props, 'own'> {
  race: CarRace['race'] | undefined
}

/** The place of a car after all stops that the rules still demand; nothing if they demand none. */
export function OwedLine({ state: { run, isCurrent }, number, race }: OwedProps) {
  const stops = isCurrent && run && race ? stopsOwed(race, run) : null
  const car = run?.standings[indexOfNumber(run.standings, number)]
  const after = car && stops?.after.get(car)
  if (!after) return null
  const { owed, places } = after
  if (owed === null || places === null)
    return <HollowPlace places={null} text={timingText.afterOwedUnknown} />
  return (
    <HollowPlace
      places={timingText.places(places.best, places.worst)}
      text={timingText.afterOwnOwed(owed)}
    />
  )
}

/** A place in a hollow figure, because it is not the place of the car yet; null: not known. */
function HollowPlace({ places, text }: { places: string | null; text: string }) {
  return (
    <p className={styles.ghost} data-ghost="">
      <s aria-hidden>{places ?? timingText.noPlace}</s>
      <span>
        {places !== null && <span className={typography.hidden}>{places} </span>}
        {text}
      </span>
    </p>
  )
}
