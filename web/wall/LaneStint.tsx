import { hasFinished } from '#racing/race/raceResult.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { useSecond } from '#web/live/useSecond.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import type { Cell } from '#web/race/stintFigures.ts'
import { fuelText } from '#web/text/fuel.ts'
import styles from './Lane.module.css'
import { LaneFigure, LanePair } from './LaneFigure.tsx'
import { stintCells } from './stintCells.ts'

/** On a screen that cannot enter the litres of the last stop. */
const noLitres = { name: fuelText.fuel, value: fuelText.noLitres, warns: false, isWords: true }

interface Props {
  lapTiming: boolean
  isOutdated: boolean
  race: CarRace
  isMany: boolean
  /** Opens the form for the litres of the last stop; null on a screen that does not send. */
  onLitres: (() => void) | null
}

/** Stint, laps to pit and fuel; nothing for a session without a car and a race. */
export function LaneStint({ lapTiming, isOutdated, race, isMany, onLitres }: Props) {
  useSecond()
  const cells = stintCells(race, { lapTiming, isOutdated }, useServerClock()())
  if (!cells) return null
  const { stint, pitIn } = cells
  const isMissing = cells.fuel.isMissing && onLitres === null
  const fuel = isMissing ? { ...cells.fuel, ...noLitres } : cells.fuel
  // Beside the litres there is no room for it.
  const inName = isMany || fuel.isAssumed
  const fuelName = inName ? `${fuel.name} ${fuel.more ?? ''}` : fuel.name
  const more = inName ? undefined : fuel.more
  const enter = (fuel.isMissing || fuel.isAssumed) && onLitres && (
    <>
      <button
        type="button"
        className={styles.enter}
        data-calm={hasFinished(race) || undefined}
        onClick={onLitres}
      >
        <Value {...fuel} more={more} warns={false} />
      </button>
      <span className={styles.missing}>
        <Value {...fuel} more={more} />
      </span>
    </>
  )
  if (isMany)
    return (
      <>
        <dl className={styles.two} data-cell="stint">
          <LanePair name={stint.name}>
            <Value {...stint} />
          </LanePair>
          <LanePair name={pitIn.name}>
            <Value {...pitIn} />
          </LanePair>
        </dl>
        <LaneFigure name={fuelName} place="fuel">
          {enter || <Value {...fuel} more={more} />}
        </LaneFigure>
      </>
    )
  return (
    <>
      <LaneFigure name={stint.name} place="stint">
        <Value {...stint} />
      </LaneFigure>
      <LaneFigure name={pitIn.name} place="pitIn">
        <Value {...pitIn} />
      </LaneFigure>
      <LaneFigure name={fuelName} place="fuel">
        {enter || <Value {...fuel} more={more} />}
      </LaneFigure>
    </>
  )
}

function Value({ value, more, warns, isWords }: Omit<Cell, 'name'>) {
  return (
    <span data-warn={warns || undefined} data-words={isWords || undefined}>
      {value}
      {more !== undefined && <i className={styles.more}> {more}</i>}
    </span>
  )
}
