import { useServerClock } from '#web/live/useLive.ts'
import { elapsedText } from './elapsedText.ts'
import { useSecond } from './useSecond.ts'

/** Time elapsed since a moment of server time, updated every second. */
export function Elapsed({ since }: { since: number }) {
  const serverNow = useServerClock()
  useSecond()
  return <span role="timer">{elapsedText(serverNow() - since)}</span>
}
