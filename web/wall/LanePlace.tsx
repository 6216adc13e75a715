import type { ReactNode } from 'react'
import type { CarRace } from '#web/race/carRace.ts'
import { OfficialPlace } from '#web/timing/OfficialPlace.tsx'
import { useOfficialTiming } from '#web/timing/useOfficialTiming.ts'
import styles from './Lane.module.css'

interface Props {
  race: CarRace | undefined
  /** The gaps to the team's other cars, which need no official timing. */
  children: ReactNode
}

/** The official place of a car while it is current, in place of the gaps to the team's other cars. */
export function LanePlace({ race, children }: Props) {
  const state = useOfficialTiming(race)
  if (!state?.isCurrent) return children
  return (
    <div className={styles.gaps}>
      <OfficialPlace state={state} number={race?.car?.number ?? null} />
    </div>
  )
}
