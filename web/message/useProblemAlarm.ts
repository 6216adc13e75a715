import { useEffect } from 'react'
import { playTone, wantsSound } from '#web/device/sound.ts'
import { vibrate } from '#web/device/vibrate.ts'
import { isVisible } from '#web/device/visibility.ts'

const everyMs = 10_000
const patternMs = [400, 150, 400]

/** Sounds and vibrates at once and every 10 s, for a problem that nobody has got. */
export function useProblemAlarm(problemId: string) {
  useEffect(() => {
    alarm()
    const timer = setInterval(alarm, everyMs)
    return () => clearInterval(timer)
  }, [problemId])
}

function alarm() {
  // A hidden page is alerted to it as an event of the team.
  if (!isVisible()) return
  vibrate(patternMs)
  if (wantsSound()) playTone()
}
