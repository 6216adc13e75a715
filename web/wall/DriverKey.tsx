import { driverLetter } from '#web/message/letters.ts'
import { DriverChangeButton } from '#web/race/DriverChangeButton.tsx'
import { wallText } from '#web/text/wall.ts'
import styles from './SendKeys.module.css'
import type { CarLane } from './useLanes.ts'

/** Changes the driver of the chosen car, in two presses; nothing for a team without drivers. */
export function DriverKey({ lane: { session, race } }: { lane: CarLane }) {
  if (!race || race.drivers.length === 0) return null
  return (
    <DriverChangeButton
      session={session}
      race={race}
      renderButton={button => (
        <button type="button" className={styles.switch} data-key={driverLetter} {...button}>
          <kbd aria-hidden>{driverLetter}</kbd>
          {wallText.driver}
        </button>
      )}
    />
  )
}
