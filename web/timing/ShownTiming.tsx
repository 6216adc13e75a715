import { useDeviceSecond } from '#web/live/useSecond.ts'
import { FeedState } from './FeedState.tsx'
import { FollowClock } from './FollowClock.tsx'
import { GhostedStandings, type RaceTimingProps } from './GhostedStandings.tsx'
import { OurCars } from './OurCars.tsx'
import styles from './TimingScreen.module.css'
import { officialState } from './useOfficialTiming.ts'

/** The state of the feed, the team's cars and the whole order. */
export function ShownTiming(props: RaceTimingProps) {
  const { raceId, race, timing, cars, answeredAt, isOffline, mayChange } = props
  const state = officialState(timing, answeredAt, useDeviceSecond())
  const own = cars.map(({ number }) => number)
  return (
    <div className={styles.main}>
      <FeedState {...{ timing, own, answeredAt, isOffline }} />
      {mayChange && race && !isOffline && <FollowClock {...{ race, state }} />}
      <OurCars {...{ raceId, cars, state }} mayEnter={mayChange} />
      <GhostedStandings {...props} />
    </div>
  )
}
