import { useEffect, useEffectEvent, useRef } from 'react'
import type { TrustedReading } from '#contract/fix.ts'
import { fixEveryMs } from '#contract/liveRules.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import type { Gps } from './usePosition.ts'

const noReading: TrustedReading = {
  latitude: null,
  longitude: null,
  speedKmh: null,
  accuracyM: null,
}

// Receivers give a reading about once a second, not to the millisecond.
const slackMs = 150

/**
 * Reports where the car is each second, also that it is not known: that is the driver's contact.
 * A new reading goes out at once, so that it does not wait for a tick and arrive a second old.
 */
export function useReporting(on: boolean, gps: Gps) {
  const channel = useChannel()
  const sentAt = useRef(Number.NEGATIVE_INFINITY)

  const report = useEffectEvent(() => {
    const known = gps.current()
    const at = channel.clock.now() - Math.round(known?.ageMs ?? 0)
    const sent = channel.sendFix({ at, ...(known?.reading ?? noReading) })
    if (sent) sentAt.current = performance.now()
  })
  const reportIfDue = useEffectEvent((afterMs: number) => {
    if (performance.now() - sentAt.current >= afterMs) report()
  })

  useEffect(() => {
    if (on && gps.reading) reportIfDue(fixEveryMs - slackMs)
  }, [on, gps.reading])

  // The team sees at once that the car is back, not with the next tick.
  useEffect(() => channel.onDriving(() => report()), [channel])

  const hasReading = gps.reading !== null
  useEffect(() => {
    if (!on) return
    report()
    // With readings coming in, the tick only stands in for one that is missing.
    const everyMs = fixEveryMs + (hasReading ? slackMs : 0)
    const timer = setInterval(() => reportIfDue(everyMs - slackMs), everyMs)
    return () => clearInterval(timer)
  }, [on, hasReading])
}
