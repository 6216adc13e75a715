import { useServerClock } from '#web/live/useLive.ts'
import { useSecond } from '#web/live/useSecond.ts'
import type { CarRace } from '#web/race/carRace.ts'
import styles from './Lane.module.css'
import { LaneFigure, LanePair } from './LaneFigure.tsx'
import { type Cell, stintCells } from './stintCells.ts'

interface Props {
  lapTiming: boolean
  race: CarRace
  isMany: boolean
}

/** Stint, laps to pit and fuel; nothing for a session without a car and a race. */
export function LaneStint({ lapTiming, race, isMany }: Props) {
  useSecond()
  const cells = stintCells(race, lapTiming, useServerClock()())
  if (!cells) return null
  const { stint, pitIn, fuel } = cells
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
        <LaneFigure name={`${fuel.name} ${fuel.more ?? ''}`} place="fuel">
          <Value value={fuel.value} warns={fuel.warns} />
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
      <LaneFigure name={fuel.name} place="fuel">
        <Value {...fuel} />
      </LaneFigure>
    </>
  )
}

function Value({ value, more, warns }: Omit<Cell, 'name'>) {
  return (
    <>
      <span data-warn={warns || undefined}>{value}</span>
      {more !== undefined && <i className={styles.more}> {more}</i>}
    </>
  )
}
