import { useEffect, useState } from 'react'
import { useServerClock } from '#web/live/useLive.ts'

/** How often clocks are checked: a figure that changes once a second is late by at most this time. */
export const clockTickMs = 250

/** Server time of this render; renders again at least at this interval, or never for null. */
export function useServerNow(intervalMs: number | null): number {
  const serverNow = useServerClock()
  const [, tick] = useState(0)
  useEffect(() => {
    if (intervalMs === null) return
    const timer = setInterval(() => tick(count => count + 1), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return serverNow()
}
