import { useEffect, useEffectEvent, useMemo } from 'react'
import { DriverFixes } from '#client/fixes/driverFixes.ts'
import { pageClock } from '#web/device/pageClock.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { queueFixes, requeueInFlight, storeInFlight } from '#web/offline/fixStore.ts'
import type { Gps } from './usePosition.ts'

/** Publishes the phone's readings as fixes. */
export function useReporting(sessionId: string, gps: Gps): DriverFixes {
  const channel = useChannel()
  const fixes = useMemo(
    () =>
      new DriverFixes({
        channel,
        sessionId,
        clock: pageClock,
        fixStore: { queueFixes, storeInFlight, requeueInFlight },
        report: problem => reportError(new Error(problem)),
      }),
    [channel, sessionId],
  )
  const current = useEffectEvent(() => gps.current())
  useEffect(() => fixes.start(() => current()), [fixes])
  useEffect(() => fixes.readingChanged(), [fixes, gps.reading])
  return fixes
}
