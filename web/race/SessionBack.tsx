import type { Session } from '#contract/sessions.ts'
import { messageText } from '#web/text/message.ts'
import { CarPlate } from '#web/ui/CarPlate.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { driverName } from './driverName.ts'
import styles from './SessionBack.module.css'

/** Names the session that a back link opens: its car and driver, or without a car its name. */
export function SessionBack({ session }: { session: Session }) {
  if (!session.car) return session.name
  return (
    <span className={styles.back}>
      <span className={typography.hidden}>{messageText.car}</span>
      <CarPlate number={session.car.number} />
      <span className={styles.driver}>{driverName(session)}</span>
    </span>
  )
}
