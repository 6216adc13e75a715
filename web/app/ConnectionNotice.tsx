import { useEffect, useState } from 'react'
import { useMatch } from 'react-router'
import { reloadToNewest } from '#web/device/appWorker.ts'
import { useConnectionState } from '#web/live/useLive.ts'
import { appText } from '#web/text/app.ts'
import { OfflineBanner } from '#web/ui/OfflineBanner.tsx'

/** A reconnect within this time shows no notice, in milliseconds. */
const graceMs = 1500

/** Shows that this device cannot reach the server. The drive screen has a notice of its own. */
export function ConnectionNotice() {
  const connection = useConnectionState()
  const driving = useMatch('/teams/:teamId/:sessionId/drive') !== null
  const lost = useDelayed(connection.status === 'lost')
  if (driving) return null
  if (connection.status === 'closed' && connection.reason === 'outdated') {
    return (
      <OfflineBanner action={appText.reload} onAction={() => void reloadToNewest()}>
        {appText.outdated}
      </OfflineBanner>
    )
  }
  return lost ? <OfflineBanner>{appText.offline}</OfflineBanner> : null
}

function useDelayed(now: boolean): boolean {
  const [lasted, setLasted] = useState(false)
  useEffect(() => {
    if (!now) return
    const timer = setTimeout(() => setLasted(true), graceMs)
    return () => {
      clearTimeout(timer)
      setLasted(false)
    }
  }, [now])
  return now && lasted
}
