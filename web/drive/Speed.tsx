import { driveText } from '#web/text/drive.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import styles from './DriveScreen.module.css'
import { type Gps, useGps } from './usePosition.ts'

/** Shows the speed of the car, or "no GPS" without one. */
export function Speed({ gps }: { gps: Gps }) {
  const kmh = useGps(gps, ({ reading }) => reading?.speedKmh ?? null)
  if (kmh === null) return <p className={`${styles.speed} ${styles.noGps}`}>{driveText.noGps}</p>
  return (
    // Not recorded in a support visit, because it changes every second.
    <p className={styles.speed} data-openreplay-hidden="">
      <b>{wholeNumber(kmh)}</b>
      <span>{driveText.kmh}</span>
    </p>
  )
}
