import type { ComponentProps } from 'react'
import type { Session } from '#contract/sessions.ts'
import { driverLetter } from '#web/message/letters.ts'
import { driverName } from '#web/race/driverName.ts'
import { ProposedDriver } from '#web/race/ProposedDriver.tsx'
import { StopClock } from '#web/race/StopClock.tsx'
import { driverChangeText } from '#web/text/driverChange.ts'
import { LaneLitres } from './LaneLitres.tsx'
import styles from './LaneStop.module.css'

interface Props extends ComponentProps<typeof StopClock> {
  session: Session
  /** Opens the form for the litres; null on a screen that only shows. */
  onLitres: (() => void) | null
  /** Letters act on this car. */
  hasLetters: boolean
}

/** The pit stop of a car in place of its figures, with many cars also of its message: clock, driver and litres. */
export function LaneStop(props: Props) {
  const { session, race, replaced, problem, onLitres, hasLetters } = props
  return (
    <div className={styles.stop}>
      <div className={styles.clock}>
        <StopClock {...{ race, replaced, problem }} />
      </div>
      <div className={styles.keys}>
        <ProposedDriver
          {...{ session, race }}
          letter={hasLetters ? driverLetter : undefined}
          mayChange={onLitres !== null}
          undoesInPlace
        >
          <section aria-label={driverChangeText.panel}>
            <b>{driverName(session)}</b>
            <small>{driverChangeText.continues}</small>
          </section>
        </ProposedDriver>
        {race.car && <LaneLitres {...{ race, onLitres, hasLetters }} />}
      </div>
    </div>
  )
}
