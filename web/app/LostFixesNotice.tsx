import { useSyncExternalStore } from 'react'
import { useMatch } from 'react-router'
import { lostFixesOf } from '#client/fixes/lostFixes.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { appText } from '#web/text/app.ts'
import { logText } from '#web/text/log.ts'
import { OfflineBanner } from '#web/ui/OfflineBanner.tsx'

const whole = new Intl.NumberFormat()

/** Shows after the drive how many positions were lost, until the driver dismisses it. */
export function LostFixesNotice() {
  const lostFixes = lostFixesOf(useChannel())
  const driving = useMatch('/teams/:teamId/:sessionId/drive') !== null
  const count = useSyncExternalStore(
    listener => lostFixes.onChange(listener),
    () => lostFixes.count,
  )
  if (driving || count === 0) return null
  return (
    <OfflineBanner action={appText.close} onAction={() => lostFixes.dismiss()}>
      {count === 1 ? logText.lostPosition : logText.lostPositions(whole.format(count))}
    </OfflineBanner>
  )
}
