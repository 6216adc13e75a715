import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { contradictsLaps } from '#racing/race/contradictsLaps.ts'
import { pitLoss } from '#racing/race/pitLoss.ts'
import { useServerClock } from '#web/live/useLive.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { runsText } from '#web/text/runs.ts'
import { wallText } from '#web/text/wall.ts'
import { GhostLine, OwedLine } from '#web/timing/GhostLine.tsx'
import { OfficialPlace, shownPlace } from '#web/timing/OfficialPlace.tsx'
import { type OfficialState, useOfficialTiming } from '#web/timing/useOfficialTiming.ts'
import styles from './Lane.module.css'

interface Props {
  race: CarRace | undefined
  /** The URL of the team's page; undefined on a screen that only shows. */
  teamPath: string | undefined
  /** The gaps to the team's other cars. A place that a source publishes has gaps of its own. */
  children: ReactNode
}

/** The gaps of a car: its official place, current or entered by hand, and the gaps to the team's other cars. */
export function LanePlace({ race, teamPath, children }: Props) {
  const state = useOfficialTiming(race)
  const number = race?.car?.number ?? null
  const place = state && shownPlace(state, number)
  if (!place) return <div className={styles.gaps}>{children}</div>
  return (
    <div className={styles.gaps}>
      <OfficialPlace state={state} number={number} />
      {race && <WrongLaps {...{ state, race, teamPath }} />}
      {place.entered ? (
        children
      ) : (
        <>
          <GhostLine
            state={state}
            number={number}
            own={race ? pitLoss(race.laps, race.visits) : null}
          />
          <OwedLine state={state} number={number} race={race?.race} />
        </>
      )}
    </div>
  )
}

/** The official laps, if those that were counted contradict them, with the way to the corrections of the race. */
function WrongLaps({
  state,
  race,
  teamPath,
}: Pick<Props, 'teamPath'> & { state: OfficialState; race: CarRace }) {
  const serverNow = useServerClock()
  const { laps = null, lapsEnteredAgoMs } = shownPlace(state, race.car?.number ?? null) ?? {}
  if (laps === null || lapsEnteredAgoMs === undefined) return null
  const now = serverNow()
  const at = now - lapsEnteredAgoMs - state.lateMs
  if (!contradictsLaps(race, { laps, at }, now)) return null
  if (teamPath === undefined || !race.race || !race.car)
    return <small data-warn>{wallText.officialLaps(laps)}</small>
  return (
    <Link className={styles.wrongLaps} to={`${teamPath}/races/${race.race.id}?car=${race.car.id}`}>
      {wallText.officialLaps(laps)} <u>{runsText.correct}</u>
    </Link>
  )
}
