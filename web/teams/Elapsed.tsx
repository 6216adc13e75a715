import { useServerClock } from '#web/live/useLive.ts'
import { useSecond } from '#web/live/useSecond.ts'
import { elapsedText } from './elapsedText.ts'

/** Time elapsed since a moment of server time, updated every second. */
export function Elapsed({ since }: { since: number }) {
  const serverNow = useServerClock()
  useSecond()
  return <span role="timer">{elapsedText(serverNow() - since)}</span>
}
