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
  const last = useRef({ sentAt: Number.NEGATIVE_INFINITY, hadReading: false })

  const report = useEffectEvent(() => {
    const known = gps.current()
    const at = channel.clock.now() - Math.round(known?.ageMs ?? 0)
    const sent = channel.sendFix({ at, ...(known?.reading ?? noReading) })
    if (sent) last.current = { sentAt: performance.now(), hadReading: known !== null }
  })
  const reportIfDue = useEffectEvent((afterMs: number) => {
    if (performance.now() - last.current.sentAt >= afterMs) report()
  })
  const reportReading = useEffectEvent(() => {
    // What was said last is that nothing is known: that is mended without waiting.
    reportIfDue(last.current.hadReading ? fixEveryMs - slackMs : 0)
  })

  useEffect(() => {
    if (on && gps.reading) reportReading()
  }, [on, gps.reading])

  useEffect(() => {
    if (on) report()
  }, [on])

  // The team sees at once that the car is back, not with the next tick.
  useEffect(() => channel.onDriving(() => report()), [channel])

  // A reading that is lost is not reported at once: often the next one comes in the same moment.
  const hasReading = gps.reading !== null
  useEffect(() => {
    if (!on) return
    // With readings coming in, the tick only stands in for one that is missing.
    const everyMs = fixEveryMs + (hasReading ? slackMs : 0)
    const timer = setInterval(() => reportIfDue(everyMs - slackMs), everyMs)
    return () => clearInterval(timer)
  }, [on, hasReading])
}
