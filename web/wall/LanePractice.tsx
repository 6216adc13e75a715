import type { Session } from '#contract/sessions.ts'
import { practiceMs } from '#contract/shared/practice.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { useSecond } from '#web/live/useSecond.ts'
import { practiceText } from '#web/text/practice.ts'
import { counterText } from '#web/ui/ages.ts'
import styles from './PhoneQuestion.module.css'

/** Marks a practice car, and shows when it ends, in place of laps. */
export function LanePractice({ session }: { session: Session }) {
  useSecond()
  const leftMs = session.startedAt + practiceMs - useServerClock()()
  return <p className={styles.practice}>{practiceText.endsIn(counterText(leftMs))}</p>
}
