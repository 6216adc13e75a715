import { useEffect, useEffectEvent } from 'react'
import type { TrustedReading } from '#contract/fix.ts'
import { fixEveryMs } from '#contract/liveRules.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'

const nothing: TrustedReading = {
  latitude: null,
  longitude: null,
  speedKmh: null,
  accuracyM: null,
}

/** Reports where the car is each second, also that it does not know: that is the driver's contact. */
export function useReporting(on: boolean, current: () => TrustedReading | null) {
  const channel = useChannel()
  const report = useEffectEvent(() => {
    channel.sendFix({ at: channel.clock.now(), ...(current() ?? nothing) })
  })
  useEffect(() => {
    if (!on) return
    report()
    const timer = setInterval(() => report(), fixEveryMs)
    return () => clearInterval(timer)
  }, [on])
}
