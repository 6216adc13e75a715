import type { RaceOfSession } from '#contract/stints.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useSecond } from '#web/live/useSecond.ts'
import { contactOf } from './contact.ts'
import styles from './Lane.module.css'

interface Props {
  sessionId: string
  /** Undefined while loading. */
  race: RaceOfSession | undefined
}

/** Whether the car can be reached. It renders each second, not with each fix. */
export function LaneContact({ sessionId, race }: Props) {
  useSecond()
  const channel = useChannel()
  const { state, text } = contactOf(channel.session(sessionId), channel.clock.now(), race)
  return (
    <small className={styles.contact} data-state={state}>
      {text}
    </small>
  )
}
