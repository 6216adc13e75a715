import { type ReactNode, useEffect } from 'react'
import { afterPaint } from '#web/device/painted.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useServerClock } from '#web/live/useLive.ts'
import { useSecond } from '#web/live/useSecond.ts'
import { wallText } from '#web/text/wall.ts'
import tones from '#web/ui/board/tones.module.css'
import styles from './LaneMessage.module.css'
import type { LanePhone } from './useLanePhones.ts'

/** Duration of a test flash on a lane. */
const shownMs = 3000

interface Props {
  phones: readonly LanePhone[]
  /** False on a screen from which nobody could send a message. */
  confirms: boolean
  children: ReactNode
}

/** Shows the driver's test flash in place of the message, and confirms it to the phone. */
export function LaneTest({ phones, confirms, children }: Props) {
  useSecond()
  const now = useServerClock()()
  const channel = useChannel()
  const tested = phones.find(({ testedAt }) => testedAt !== null && now - testedAt < shownMs)
  const sessionId = confirms ? tested?.session.id : undefined
  const testedAt = tested?.testedAt
  useEffect(() => {
    if (sessionId === undefined || testedAt === undefined) return undefined
    return afterPaint(() => channel.testSeen(sessionId))
  }, [channel, sessionId, testedAt])
  if (!tested) return children
  return (
    <div className={`${styles.message} ${tones.toned}`} data-tone="easy">
      <span className={styles.word}>{wallText.testWord}</span>
      <small className={styles.receipt}>{wallText.testOf}</small>
    </div>
  )
}
