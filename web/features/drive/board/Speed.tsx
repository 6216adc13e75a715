import { driveText } from '#web/text/drive.ts'
import { wholeNumber } from '#web/ui/forms/wholeNumber.ts'
import styles from '../DriveScreen.module.css'

/** The speed of the car, or that the position is unknown. */
export function Speed({ kmh }: { kmh: number | null }) {
  if (kmh === null) return <p className={`${styles.speed} ${styles.noGps}`}>{driveText.noGps}</p>
  return (
    // It changes every second: not worth recording in a support visit.
    <p className={styles.speed} data-openreplay-hidden="">
      <b>{wholeNumber(kmh)}</b>
      <span>{driveText.kmh}</span>
    </p>
  )
}
