import { useEffect, useEffectEvent, useMemo } from 'react'
import { PhoneReporter } from '#client/driver/phoneReporter.ts'
import type { GpsState, Presence } from '#contract/phone.ts'
import type { PhoneFault } from '#contract/shared/phoneFaults.ts'
import { command } from '#web/api/call.ts'
import { isVisible } from '#web/device/visibility.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useBattery } from './useBattery.ts'

/**
 * Reports the phone's state to the team on every change: page visibility, GPS, battery, what is to repair. A closing page
 * reports that it leaves.
 */
export function usePhoneState(
  sessionId: string,
  gps: GpsState | null,
  faults: readonly PhoneFault[],
) {
  const channel = useChannel()
  const battery = useBattery()
  const reporter = useMemo(() => new PhoneReporter(channel), [channel])

  /** Reports on the live connection; returns false if it is not open. */
  const report = useEffectEvent((now: Presence): boolean => {
    reporter.setGps(gps ?? 'lost')
    reporter.setBattery(battery)
    reporter.setFaults(faults)
    return reporter.report(now)
  })
  const reportByCall = useEffectEvent((presence: Presence) => {
    report(presence)
    const phone = channel.phoneState()
    if (!phone) return
    // The call logs its failure, and the page is gone: there is nobody to notify.
    command('sessions.reportPhoneState', { sessionId, phone }, { keepalive: true }).catch(
      () => undefined,
    )
  })

  const named = faults.join()
  useEffect(() => {
    report(isVisible() ? 'shown' : 'hidden')
  }, [gps, battery, named])

  useEffect(() => {
    // A leaving page also becomes hidden right after: that must not overwrite the report.
    let hasLeft = false
    const onVisibility = () => {
      if (hasLeft) return
      if (isVisible()) report('shown')
      else if (!report('hidden')) reportByCall('hidden')
    }
    const onOffline = () => void report('offline')
    const onOnline = () => void report(isVisible() ? 'shown' : 'hidden')
    const onLeave = () => {
      hasLeft = true
      reportByCall('leaving')
    }
    // The page was restored from the back/forward cache.
    const onReturn = () => {
      if (!hasLeft) return
      hasLeft = false
      report(isVisible() ? 'shown' : 'hidden')
    }
    document.addEventListener('visibilitychange', onVisibility)
    // Runs in the capture phase, before the channel's own listener closes the connection.
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
}
