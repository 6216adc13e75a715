import { useEffect, useMemo } from 'react'
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
  useEffect(() => {
    const stop = fixes.start(() => gps.current())
    const undo = gps.onChange(() => fixes.readingChanged())
    // The first reading may have arrived before.
    fixes.readingChanged()
    return () => {
      undo()
      stop()
    }
  }, [fixes, gps])
  return fixes
}
