import type { Race } from '#contract/races.ts'
import type { Session } from '#contract/sessions.ts'
import { raceClock } from '#racing/clocks/raceClock.ts'
import { clock } from '#web/laps/lapFigures.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { useSecond } from '#web/live/useSecond.ts'
import { wallText } from '#web/text/team/wall.ts'
import { useLaneRace } from './lanes/useLaneRace.ts'
import styles from './Wall.module.css'

interface Props {
  lanes: readonly [Session, ...Session[]]
}

/** The clock of the race; without one the time since the first car started its session. */
export function WallClock({ lanes }: Props) {
  useSecond()
  const race = useLaneRace(lanes[0].id)?.race ?? null
  const now = useServerClock()()
  const { value, unit } = race?.startedAt ? raceFigure(race, now) : sessionFigure(lanes, now)
  return (
    <p className={styles.clock} role="timer" aria-live="off">
      <b>{value}</b>
      <span>{unit}</span>
    </p>
  )
}

interface ClockFigure {
  readonly value: string
  readonly unit: string
}

function raceFigure(race: Race, now: number): ClockFigure {
  const { length, startedAt, pauses, endedAt } = race
  const lengthMs = length.in === 'time' ? length.ms : null
  const { leftMs, elapsedMs } = raceClock({ lengthMs, startedAt, pauses, endedAt }, now)
  if (leftMs !== null && endedAt === null)
    return { value: clock(Math.ceil(leftMs / 1000)), unit: wallText.toGo }
  return { value: clock(Math.floor(elapsedMs / 1000)), unit: wallText.sinceStart }
}

function sessionFigure(lanes: readonly Session[], now: number): ClockFigure {
  const startedAt = Math.min(...lanes.map(session => session.startedAt))
  return {
    value: clock(Math.max(0, Math.floor((now - startedAt) / 1000))),
    unit: wallText.sinceStart,
  }
}
