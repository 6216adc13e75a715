import { useState } from 'react'
import type { Session } from '#contract/sessions.ts'
import type { CarRace } from '#web/race/carRace.ts'
import { ProposedDriver } from '#web/race/ProposedDriver.tsx'
import { RefuelSheet } from '#web/race/RefuelSheet.tsx'
import { refuelsNext } from '#web/race/refuelNext.ts'
import { StopClock } from '#web/race/StopClock.tsx'
import { fuelText } from '#web/text/fuel.ts'
import styles from './LaneStop.module.css'

interface Props {
  session: Session
  race: CarRace
  /** False on a screen that does not send. */
  mayChange: boolean
}

/** The pit stop of a car in place of its message and figures: its clock, the driver change and the litres. */
export function LaneStop({ session, race, mayChange }: Props) {
  const [isRefuelling, setRefuelling] = useState(false)
  return (
    <div className={styles.stop}>
      <StopClock race={race} />
      {mayChange && (
        <div className={styles.keys}>
          <ProposedDriver session={session} race={race} />
          {refuelsNext(race) && (
            <button type="button" className={styles.litres} onClick={() => setRefuelling(true)}>
              {fuelText.refuel}
            </button>
          )}
        </div>
      )}
      {isRefuelling && <RefuelSheet sessionId={session.id} onClose={() => setRefuelling(false)} />}
    </div>
  )
}
