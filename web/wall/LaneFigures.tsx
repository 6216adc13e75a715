import { memo, type ReactNode } from 'react'
import type { LapTable } from '#contract/laps.ts'
import { isCompared } from '#racing/race/pace.ts'
import { currentLap } from '#racing/race/raceResult.ts'
import type { ShownLap } from '#web/laps/shownLap.ts'
import {
  bestLap,
  deltaTenths,
  deltaText,
  lapTime,
  lastLap,
  recentAverageMs,
} from '#web/race/lapFigures.ts'
import { lapKind, lastLapFigure } from '#web/race/lastLapFigure.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { wallText } from '#web/text/wall.ts'
import { DeltaBars } from './DeltaBars.tsx'
import styles from './Lane.module.css'
import { LaneFigure, LanePair } from './LaneFigure.tsx'
import { LaneStint } from './LaneStint.tsx'

interface Props {
  /** Undefined while loading. */
  race: CarRace | undefined
  /** The laps of the phone in the car; undefined while loading. */
  table: LapTable | undefined
  lapTiming: boolean
  /** The figures are those of before the data link was off. */
  isOutdated: boolean
  density: Density
  /** Opens the form for the litres of the last stop; null on a screen that does not send. */
  onLitres: (() => void) | null
  /** In place of the laps. */
  children?: ReactNode
}

/** How many cars share the wall: one, two to four, or more. */
export type Density = 'one' | 'few' | 'many'

const noLaps: readonly ShownLap[] = []

/** Laps, stint and fuel of a car. With several cars two figures share a column. */
export const LaneFigures = memo(function LaneFigures({ children, ...props }: Props) {
  const { race, lapTiming, isOutdated, density, onLitres } = props
  return (
    <div className={styles.cells}>
      {children ?? <LapFigures {...props} />}
      {race && (
        <LaneStint {...{ lapTiming, isOutdated, race, onLitres }} isMany={density === 'many'} />
      )}
    </div>
  )
})

function LapFigures({
  race,
  table,
  lapTiming,
  density,
}: Omit<Props, 'children' | 'onLitres' | 'isOutdated'>) {
  const laps: readonly ShownLap[] = race?.laps ?? noLaps
  const gpsPoor = table?.gpsPoor ?? false
  const last = lastLap(laps)
  const average = recentAverageMs(laps)
  const best = bestLap(laps)?.timeMs ?? null
  const time = (timeMs: number | null) =>
    timeMs === null ? wallText.noTime : lapTime(timeMs, gpsPoor)
  const isMany = density === 'many'
  const lap = race ? currentLap(race) : null
  const kind = last && lapKind(last)
  const which = kind ?? wallText.last
  const figure = last && lastLapFigure(last, gpsPoor)
  const shortName = figure?.name ?? wallText.lastNone
  const lastName = isMany && lap !== null ? wallText.lapAnd(String(lap), which) : shortName
  const timedName = gpsPoor ? wallText.lastPoor : lastName
  const timingName = table?.stopped ? wallText.timingStopped : timedName
  return (
    <>
      {!isMany && (
        <LaneFigure name={wallText.lap} place="lap">
          {lap ?? wallText.noTime}
        </LaneFigure>
      )}
      <LaneFigure
        name={lapTiming ? timingName : wallText.notTimed}
        place="last"
        lead={lap === null || isMany ? undefined : wallText.lapLead(String(lap))}
      >
        {figure?.value ?? wallText.noTime}
        {last && !gpsPoor && average !== null && <Delta lap={last} average={average} />}
      </LaneFigure>
      {density === 'one' ? (
        <>
          <LaneFigure name={wallText.best} place="best">
            {time(best)}
          </LaneFigure>
          <LaneFigure name={wallText.average} place="average">
            {time(average)}
          </LaneFigure>
        </>
      ) : (
        <dl className={styles.two}>
          <LanePair name={wallText.best}>{time(best)}</LanePair>
          <LanePair name={wallText.averageShort}>{time(average)}</LanePair>
        </dl>
      )}
      <div className={styles.cell} data-cell="bars">
        {!isMany && <small>{wallText.lastTen}</small>}
        <DeltaBars laps={laps} />
      </div>
    </>
  )
}

/** The sign carries the meaning; the colour only speeds it up. */
function Delta({ lap, average }: { lap: ShownLap; average: number }) {
  if (!isCompared(lap)) return null
  const tenths = deltaTenths(lap.timeMs, average)
  const tone = tenths < 0 ? 'faster' : tenths > 0 ? 'slower' : 'level'
  return (
    <span className={styles.delta} data-tone={tone}>
      {' '}
      {deltaText(tenths)}
    </span>
  )
}
