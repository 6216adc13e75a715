import type { RaceOfSession } from '#contract/races/stints.ts'
import type { Lap } from '#contract/sessions/laps.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { useSecond } from '#web/live/useSecond.ts'
import styles from '../Lane.module.css'
import { Figure, Pair } from './Figure.tsx'
import { type Cell, stintCells } from './stintCells.ts'

interface Props {
  laps: readonly Lap[]
  lapTiming: boolean
  race: RaceOfSession
  isMany: boolean
}

/** Stint, laps to pit and fuel; nothing for a session without a car and a race. */
export function LaneStint({ laps, lapTiming, race, isMany }: Props) {
  useSecond()
  const cells = stintCells(race, { laps, lapTiming }, useServerClock()())
  if (!cells) return null
  const { stint, pitIn, fuel } = cells
  if (isMany)
    return (
      <>
        <dl className={styles.two} data-cell="stint">
          <Pair name={stint.name}>
            <Value {...stint} />
          </Pair>
          <Pair name={pitIn.name}>
            <Value {...pitIn} />
          </Pair>
        </dl>
        <Figure name={`${fuel.name} ${fuel.more ?? ''}`} place="fuel">
          <Value value={fuel.value} warns={fuel.warns} />
        </Figure>
      </>
    )
  return (
    <>
      <Figure name={stint.name} place="stint">
        <Value {...stint} />
      </Figure>
      <Figure name={pitIn.name} place="pitIn">
        <Value {...pitIn} />
      </Figure>
      <Figure name={fuel.name} place="fuel">
        <Value {...fuel} />
      </Figure>
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
