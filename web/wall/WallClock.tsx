import { useState } from 'react'
import { Link } from 'react-router'
import { leastOf } from '#contract/shared/extremes.ts'
import { EndRace } from '#web/race/EndRace.tsx'
import { RaceDialog } from '#web/race/RaceDialog.tsx'
import { raceFigure } from '#web/race/raceFigure.ts'
import { clockTickMs, useServerNow } from '#web/race/useServerNow.ts'
import { raceClockText } from '#web/text/raceClock.ts'
import { timingText } from '#web/text/timing.ts'
import { wallText } from '#web/text/wall.ts'
import { FollowClock, useClockCorrection } from '#web/timing/FollowClock.tsx'
import { useOfficialTiming } from '#web/timing/useOfficialTiming.ts'
import { counterText } from '#web/ui/ages.ts'
import type { CarLane } from './useLanes.ts'
import styles from './Wall.module.css'

interface Props {
  lanes: readonly CarLane[]
  /** True if a press opens the controls that start, pause and end the race. */
  mayChange: boolean
  /** The URL of the team's page; undefined on a television. */
  teamPath: string | undefined
}

/** Returns the race of a car whose race is not over; of the first car if all are. */
export function raceOnWall(lanes: readonly CarLane[]): CarLane['race'] {
  const open = lanes.find(({ race }) => race?.race?.endedAt === null) ?? lanes[0]
  return open?.race
}

/** The clock of the race; without one the time since the first car started its session. */
export function WallClock({ lanes, mayChange, teamPath }: Props) {
  const nowMs = useServerNow(clockTickMs)
  const [isOpen, setOpen] = useState(false)
  const race = raceOnWall(lanes)
  const official = useOfficialTiming(race)
  const correction = useClockCorrection(race?.race ?? null, official)
  const own = (race && raceFigure(race, nowMs)) ?? ofSessions(lanes, nowMs)
  const { value } = own
  const label = correction && mayChange ? timingText.differs : own.label
  const figure = (
    <>
      <b data-openreplay-hidden="">{value}</b>
      <span>{label}</span>
    </>
  )
  const ofRace = lanes.flatMap(lane =>
    lane.race && lane.race.race?.id === race?.race?.id ? [lane.race] : [],
  )
  const result = race?.race && race.race.endedAt !== null && teamPath !== undefined && (
    <Link className={styles.after} to={`${teamPath}/races/${race.race.id}`}>
      {wallText.result}
    </Link>
  )
  if (!race?.race || !mayChange)
    return (
      <>
        <p className={styles.clock}>{figure}</p>
        {result}
      </>
    )
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
      {result}
      <EndRace race={race.race} cars={ofRace} className={styles.after} />
      {isOpen && (
        <RaceDialog race={race.race} cars={ofRace} onClose={() => setOpen(false)}>
          {official && <FollowClock race={race.race} state={official} />}
        </RaceDialog>
      )}
    </>
  )
}

function ofSessions(lanes: readonly CarLane[], nowMs: number) {
  const startedAt = leastOf(lanes.map(({ phones }) => phones[0]?.startedAt ?? nowMs))
  const value = counterText(nowMs - startedAt)
  return { value, label: wallText.sinceStart }
}
