import { useChannel } from '#web/live/LiveProvider.tsx'
import { useLost } from '#web/live/useLost.ts'
import { useSecond } from '#web/live/useSecond.ts'
import { phoneLabel } from '#web/race/phoneLabel.ts'
import { sessionInCar } from '#web/race/shownCarRace.ts'
import { carPhonesText } from '#web/text/carPhones.ts'
import { contactOf } from './contact.ts'
import styles from './Lane.module.css'
import { LaneFlag } from './LaneFlag.tsx'
import type { CarLane } from './useLanes.ts'

interface Props {
  lane: CarLane
  /** The clock of its stop is shown beside it. */
  isInStop?: boolean
}

/** Whether the car can be reached, and with several phones by which one. It renders each second, not with each fix. */
export function LaneContact({ lane, isInStop = false }: Props) {
  useSecond()
  const channel = useChannel()
  const isLost = useLost()
  const { phones, race, movesOff } = lane
  const session = movesOff ?? lane.session
  const live = channel.session(session.id)
  const hasClock = movesOff === null && !isInStop
  const { state, text, fault } = contactOf(
    live,
    channel.clock.now(),
    hasClock ? race : undefined,
    isLost,
  )
  return (
    <div className={styles.contacts}>
      {/* In place of the message it says that the data link is off. */}
      {(live.session?.dataLink !== false || isLost) && (
        <small className={styles.contact} data-state={state}>
          {text}
          {fault && <span className={styles.fault}>{fault}</span>}
        </small>
      )}
      {race && phones.length > 1 && (
        <small>
          {movesOff !== null || sessionInCar(race) === session.id
            ? phoneLabel(race.phones, session.id)
            : carPhonesText.none}
        </small>
      )}
      {!isLost && !isInStop && <LaneFlag sessionId={session.id} race={race} />}
    </div>
  )
}
