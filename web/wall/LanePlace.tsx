import type { ReactNode } from 'react'
import { pitLoss } from '#racing/race/pitLoss.ts'
import type { CarRace } from '#web/race/carRace.ts'
import { GhostLine, OwedLine } from '#web/timing/GhostLine.tsx'
import { OfficialPlace, shownPlace } from '#web/timing/OfficialPlace.tsx'
import { useOfficialTiming } from '#web/timing/useOfficialTiming.ts'
import styles from './Lane.module.css'

interface Props {
  race: CarRace | undefined
  /** The gaps to the team's other cars, which need no official timing. */
  children: ReactNode
}

/** The official place of a car while it is current or was entered by hand, in place of the gaps to the team's other cars. */
export function LanePlace({ race, children }: Props) {
  const state = useOfficialTiming(race)
  const number = race?.car?.number ?? null
  if (!state || !(state.isCurrent || shownPlace(state, number))) return children
  return (
    <div className={styles.gaps}>
      <OfficialPlace state={state} number={number} />
      {state.isCurrent && (
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
