import { driveText } from '#web/text/drive.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import answering from './Answering.module.css'
import styles from './DriveScreen.module.css'
import { type Gps, useGps } from './usePosition.ts'

interface Props {
  gps: Gps
  /** In place of the speed once the car has finished its race; null before. */
  finish: string | null
  /** Above a question and below a problem, where "no GPS" has no room. */
  small?: boolean
}

/** Shows the speed of the car, or "no GPS" without one. */
export function Speed({ gps, finish, small = false }: Props) {
  const kmh = useGps(gps, ({ reading }) => reading?.speedKmh ?? null)
  const speed = kmh === null ? `${styles.speed} ${styles.noGps}` : styles.speed
  return (
    // Not recorded in a support visit, because it changes every second.
    <p className={small ? answering.speed : speed} data-openreplay-hidden="">
      {finish !== null ? (
        <b>{finish}</b>
      ) : kmh === null ? (
        !small && driveText.noGps
      ) : (
        <>
          <b>{wholeNumber(kmh)}</b> <span>{driveText.kmh}</span>
        </>
      )}
    </p>
  )
}
