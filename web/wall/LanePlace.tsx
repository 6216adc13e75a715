import type { CarRace } from '#web/race/carRace.ts'
import { OfficialPlace } from '#web/timing/OfficialPlace.tsx'
import { useOfficialTiming } from '#web/timing/useOfficialTiming.ts'
import styles from './Lane.module.css'

/** The official place of a car, in place of the gaps to the team's other cars. */
export function LanePlace({ race }: { race: CarRace }) {
  const state = useOfficialTiming(race)
  return (
    <div className={styles.gaps}>
      {state && <OfficialPlace state={state} number={race.car?.number ?? null} />}
    </div>
  )
}
