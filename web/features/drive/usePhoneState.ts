import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { GpsState, Presence } from '#contract/phone.ts'
import { command } from '#web/api/call.ts'
import { type BatteryState, watchBattery } from '#web/device/battery.ts'
import { isVisible } from '#web/device/visibility.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { PhoneReporter } from '#web/live/phoneReporter.ts'

/**
 * Tells the team how the phone is, as it changes: whether the screen is seen, what the receiver
 * gives, the battery. A page that goes away says so while it still can. Answers the battery's state.
 */
export function usePhoneState(sessionId: string, gps: GpsState | null): BatteryState | null {
  const channel = useChannel()
  const [battery, setBattery] = useState<BatteryState | null>(null)
  const reporter = useMemo(() => new PhoneReporter(channel), [channel])
  useEffect(() => watchBattery(setBattery), [])

  /** Tells it by the line, and says whether that took it. */
  const tell = useEffectEvent((now: Presence): boolean => {
    reporter.setGps(gps ?? 'lost')
    reporter.setBattery(battery)
    return reporter.report(now)
  })
  const tellByCall = useEffectEvent((presence: Presence) => {
    tell(presence)
    const phone = channel.phoneState()
    if (!phone) return
    // The call logs why, and the page is gone: nobody is left to be told.
    command('sessions.tellPhone', { sessionId, phone }, { keepalive: true }).catch(() => undefined)
  })

  useEffect(() => {
    tell(isVisible() ? 'shown' : 'hidden')
  }, [gps, battery])

  useEffect(() => {
    // A page that goes away turns invisible after it said so: that is no news of the phone.
    let hasLeft = false
    const onVisibility = () => {
      if (hasLeft) return
      if (isVisible()) tell('shown')
      else if (!tell('hidden')) tellByCall('hidden')
    }
    const onOffline = () => void tell('offline')
    const onOnline = () => void tell(isVisible() ? 'shown' : 'hidden')
    const onLeave = () => {
      hasLeft = true
      tellByCall('leaving')
    }
    // Kept whole by the browser, and come back to.
    const onReturn = () => {
      if (!hasLeft) return
      hasLeft = false
      tell(isVisible() ? 'shown' : 'hidden')
    }
    document.addEventListener('visibilitychange', onVisibility)
    // Ahead of the line's own listener, which hangs up.
    window.addEventListener('offline', onOffline, { capture: true })
    window.addEventListener('online', onOnline)
    window.addEventListener('pagehide', onLeave)
    window.addEventListener('pageshow', onReturn)
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      window.removeEventListener('offline', onOffline, { capture: true })
      window.removeEventListener('online', onOnline)
      window.removeEventListener('pagehide', onLeave)
      window.removeEventListener('pageshow', onReturn)
      onLeave()
      reporter.stop()
    }
  }, [reporter])
  return battery
}
