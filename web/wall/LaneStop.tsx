import type { Session } from '#contract/sessions.ts'
import { driverLetter } from '#web/message/letters.ts'
import type { CarRace } from '#web/race/carRace.ts'
import { ProposedDriver } from '#web/race/ProposedDriver.tsx'
import { StopClock } from '#web/race/StopClock.tsx'
import { LaneLitres } from './LaneLitres.tsx'
import styles from './LaneStop.module.css'

interface Props {
  session: Session
  race: CarRace
  /** Opens the form for the litres. */
  onLitres: () => void
  /** False on a screen that does not send. */
  maySend: boolean
}

/** The pit stop of a car in place of its message and figures: its clock, the driver change and the litres. */
export function LaneStop({ session, race, onLitres, maySend }: Props) {
  return (
    <div className={styles.stop}>
      <StopClock race={race} />
      {maySend && (
        <div className={styles.keys}>
          <ProposedDriver session={session} race={race} letter={driverLetter} />
          {race.car && <LaneLitres {...{ race, onLitres }} />}
        </div>
      )}
    </div>
  )
}
