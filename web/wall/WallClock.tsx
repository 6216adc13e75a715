import { useState } from 'react'
import type { Session } from '#contract/sessions.ts'
import { leastOf } from '#contract/shared/extremes.ts'
import { minutesAndSeconds } from '#web/race/lapFigures.ts'
import { RaceDialog } from '#web/race/RaceDialog.tsx'
import { raceFigure } from '#web/race/raceFigure.ts'
import { useLaps } from '#web/race/useLaps.ts'
import { clockTickMs, useServerNow } from '#web/race/useServerNow.ts'
import { raceClockText } from '#web/text/raceClock.ts'
import { wallText } from '#web/text/wall.ts'
import { useLaneRace } from './useLaneRace.ts'
import styles from './Wall.module.css'

interface Props {
  /** Its race is shown. */
  session: Session
  /** All sessions on the wall. */
  lanes: readonly Session[]
  /** True if a press opens the controls that start, pause and end the race. */
  mayChange: boolean
}

/** The clock of the race; without one the time since the first car started its session. */
export function WallClock({ session: { id }, lanes, mayChange }: Props) {
  const nowMs = useServerNow(clockTickMs)
  const { race = null, pitVisits: visits = [], earlierLaps, earlierEnd } = useLaneRace(id) ?? {}
  const { data: table } = useLaps(race?.length.in === 'laps' ? id : null)
  const [isOpen, setOpen] = useState(false)
  const { value, label } = race
    ? raceFigure(race, { laps: table?.laps ?? [], visits, earlierLaps, earlierEnd }, nowMs)
    : ofSessions(lanes, nowMs)
  const figure = (
    <>
      <b data-openreplay-hidden="">{value}</b>
      <span>{label}</span>
    </>
  )
  if (!race || !mayChange) return <p className={styles.clock}>{figure}</p>
  return (
    <>
      <button
        type="button"
        className={styles.clock}
        aria-label={`${raceClockText.open}: ${label} ${value}`}
        onClick={() => setOpen(true)}
      >
        {figure}
      </button>
      {isOpen && <RaceDialog race={race} sessionId={id} onClose={() => setOpen(false)} />}
    </>
  )
}

function ofSessions(lanes: readonly Session[], nowMs: number) {
  const startedAt = leastOf(lanes.map(session => session.startedAt))
  const value = minutesAndSeconds(Math.max(0, Math.floor((nowMs - startedAt) / 1000)))
  return { value, label: wallText.sinceStart }
}
