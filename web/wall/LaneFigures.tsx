import { memo } from 'react'
import type { Lap } from '#contract/laps.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import { lastLap } from '#web/laps/lapBoard.ts'
import {
  bestLap,
  deltaTenths,
  deltaText,
  isCompared,
  lapTime,
  recentAverageMs,
} from '#web/race/lapFigures.ts'
import { wallText } from '#web/text/wall.ts'
import { DeltaBars } from './DeltaBars.tsx'
import styles from './Lane.module.css'
import { LaneFigure, LanePair } from './LaneFigure.tsx'
import { LaneStint } from './LaneStint.tsx'

interface Props {
  laps: readonly Lap[]
  gpsPoor: boolean
  lapTiming: boolean
  /** True if no further laps are timed. */
  isStopped: boolean
  /** Undefined while loading. */
  race: RaceOfSession | undefined
  density: Density
}

/** How many cars share the wall: one, two or three, or more. */
export type Density = 'one' | 'few' | 'many'

/** Laps, stint and fuel of a car. With many cars two figures share a column. */
export const LaneFigures = memo(function LaneFigures(props: Props) {
  const { laps, gpsPoor, lapTiming, isStopped, race, density } = props
  const last = lastLap(laps)
  const average = recentAverageMs(laps)
  const best = bestLap(laps)?.timeMs ?? null
  const time = (timeMs: number | null) =>
    timeMs === null ? wallText.noTime : lapTime(timeMs, gpsPoor)
  const isMany = density === 'many'
  const lastName = last ? wallText.last(String(last.number)) : wallText.lastNone
  const timedName = gpsPoor ? wallText.lastPoor : lastName
  const timingName = isStopped ? wallText.timingStopped : timedName
  return (
    <div className={styles.cells}>
      <LaneFigure name={lapTiming ? timingName : wallText.notTimed} place="last">
        {last?.isSeen ? lapTime(last.timeMs, gpsPoor) : wallText.noTime}
        {last && !gpsPoor && average !== null && <Delta lap={last} average={average} />}
      </LaneFigure>
      {isMany ? (
        <dl className={styles.two}>
          <LanePair name={wallText.best}>{time(best)}</LanePair>
          <LanePair name={wallText.averageShort}>{time(average)}</LanePair>
        </dl>
      ) : (
        <>
          <LaneFigure name={wallText.best} place="best">
            {time(best)}
          </LaneFigure>
          <LaneFigure name={wallText.average} place="average">
            {time(average)}
          </LaneFigure>
        </>
      )}
      {density === 'one' && (
        <LaneFigure name={wallText.lap} place="lap">
          {last?.number ?? wallText.noTime}
        </LaneFigure>
      )}
      <div className={styles.cell} data-cell="bars">
        {!isMany && <small>{wallText.lastTen}</small>}
        <DeltaBars laps={laps} />
      </div>
      {race && <LaneStint laps={laps} lapTiming={lapTiming} race={race} isMany={isMany} />}
    </div>
  )
})

/** The sign carries the meaning; the colour only speeds it up. */
function Delta({ lap, average }: { lap: Lap; average: number }) {
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
