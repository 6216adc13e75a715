import { Link } from 'react-router'
import { isCompared } from '#racing/race/pace.ts'
import { currentLap } from '#racing/race/raceResult.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { isOutdated } from '#web/race/isOutdated.ts'
import {
  bestLap,
  deltaTenths,
  deltaText,
  lapTime,
  lastLap,
  recentAverageMs,
  type TimedLap,
} from '#web/race/lapFigures.ts'
import { lastLapFigure } from '#web/race/lastLapFigure.ts'
import { useCarRace } from '#web/race/useCarRace.ts'
import { lapsText } from '#web/text/laps.ts'
import { LapPosition } from './LapPosition.tsx'
import styles from './LapStrip.module.css'

/**
 * The last, best and average lap, and the car's position on the current one: a link to all laps. Renders nothing before
 * the first whole lap, and only the reason if lap timing has stopped.
 */
export function LapStrip({ teamId, sessionId }: { teamId: string; sessionId: string }) {
  const { race, table } = useCarRace(sessionId)
  const session = useLiveSession(sessionId, state => state.session)
  const last = race && lastLap(race.laps)
  if (table?.stopped)
    return (
      <Link className={styles.strip} to={`/teams/${teamId}/${sessionId}/laps`}>
        {lapsText.timingStopped(table.stopped)}
      </Link>
    )
  if (!table || !last) return null
  const { laps } = race
  const { gpsPoor } = table
  const average = recentAverageMs(laps)
  const figure = lastLapFigure(last, gpsPoor)
  return (
    <Link
      className={styles.strip}
      to={`/teams/${teamId}/${sessionId}/laps`}
      aria-label={lapsText.page}
      aria-describedby={`laps-${sessionId}`}
    >
      <LapPosition sessionId={sessionId} />
      <dl
        className={styles.figures}
        id={`laps-${sessionId}`}
        data-outdated={(session && isOutdated(session, laps)) || undefined}
      >
        <div>
          <dt>
            {figure.name} {!gpsPoor && average !== null && <Delta lap={last} average={average} />}
          </dt>
          <dd className={styles.last}>{figure.value}</dd>
        </div>
        <Figure name={lapsText.best} timeMs={bestLap(laps)?.timeMs ?? null} isPoor={gpsPoor} />
        <Figure name={lapsText.recentAverage} timeMs={average} isPoor={gpsPoor} />
        <div>
          <dt>{lapsText.lap}</dt>
          <dd>{currentLap(race) ?? '--'}</dd>
        </div>
      </dl>
    </Link>
  )
}

interface FigureProps {
  name: string
  timeMs: number | null
  isPoor: boolean
}

function Figure({ name, timeMs, isPoor }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{timeMs === null ? '--' : lapTime(timeMs, isPoor)}</dd>
    </div>
  )
}

/** The sign and the word carry the meaning; the colour only speeds it up. */
function Delta({ lap, average }: { lap: TimedLap; average: number }) {
  if (!isCompared(lap)) return null
  const tenths = deltaTenths(lap.timeMs, average)
  if (tenths === 0) return deltaText(tenths)
  const word = tenths < 0 ? lapsText.faster : lapsText.slower
  return (
    <em className={tenths < 0 ? styles.faster : styles.slower}>
      {deltaText(tenths)} {word}
    </em>
  )
}
