import { useChannel } from '#web/live/LiveProvider.tsx'
import { useLost } from '#web/live/useLost.ts'
import { useSecond } from '#web/live/useSecond.ts'
import { sessionInCar } from '#web/race/carRace.ts'
import { phoneLabel } from '#web/race/phoneLabel.ts'
import { carPhonesText } from '#web/text/carPhones.ts'
import { contactOf } from './contact.ts'
import styles from './Lane.module.css'
import { LaneFlag } from './LaneFlag.tsx'
import type { CarLane } from './useLanes.ts'

/** Whether the car can be reached, and with several phones by which one. It renders each second, not with each fix. */
export function LaneContact({ lane }: { lane: CarLane }) {
  useSecond()
  const channel = useChannel()
  const isLost = useLost()
  const { session, phones, race } = lane
  const live = channel.session(session.id)
  const { state, text } = contactOf(live, channel.clock.now(), race, isLost)
  return (
    <div className={styles.contacts}>
      <small className={styles.contact} data-state={state}>
        {text}
      </small>
      {race && phones.length > 1 && (
        <small>
          {sessionInCar(race) === session.id
            ? phoneLabel(race.phones, session.id)
            : carPhonesText.none}
        </small>
      )}
      {!isLost && <LaneFlag sessionId={session.id} race={race} />}
    </div>
  )
}
