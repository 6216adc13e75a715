import type { Race } from '#contract/races.ts'
import type { Car } from '#contract/roster.ts'
import type { OfficialTiming } from '#contract/timing.ts'
import { useDeviceSecond } from '#web/live/useSecond.ts'
import { FeedState } from './FeedState.tsx'
import { FollowClock } from './FollowClock.tsx'
import { GhostedStandings } from './GhostedStandings.tsx'
import { OurCars } from './OurCars.tsx'
import styles from './TimingScreen.module.css'
import { officialState } from './useOfficialTiming.ts'

interface Props {
  teamId: string
  raceId: string
  /** Undefined until it has loaded. */
  race: Race | undefined
  timing: OfficialTiming
  /** The team's cars in the race. */
  cars: readonly Car[]
  /** Time of the newest response, on this device's clock. */
  answeredAt: number
  /** True if the newest request failed. */
  isOffline: boolean
  /** False for viewers. */
  mayEnter: boolean
}

/** The state of the feed, the team's cars and the whole order. */
export function ShownTiming(props: Props) {
  const { teamId, raceId, race, timing, cars, answeredAt, isOffline, mayEnter } = props
  const state = officialState(timing, answeredAt, useDeviceSecond())
  const own = cars.map(({ number }) => number)
  return (
    <div className={styles.main}>
      <FeedState {...{ timing, own, answeredAt, isOffline }} />
      {mayEnter && race && !isOffline && <FollowClock {...{ teamId, race, state }} />}
      <OurCars {...{ raceId, cars, state, mayEnter }} />
      <GhostedStandings {...props} mayChange={mayEnter} />
    </div>
  )
}
