import { useEffect, useState } from 'react'
import { useMatch } from 'react-router'
import { reloadToNewest } from '#web/device/appWorker.ts'
import { useLine } from '#web/live/useLive.ts'
import { appText } from '#web/text/app.ts'
import { OfflineBanner } from '#web/ui/OfflineBanner.tsx'

/** A line that is back within this time was not worth a word. */
const patienceMs = 1500

/** Says that this device cannot reach the server. The drive screen says so in its own way. */
export function LineNotice() {
  const line = useLine()
  const driving = useMatch('/teams/:teamId/:sessionId/drive') !== null
  const down = useLasting(line === 'down')
  if (driving) return null
  if (line === 'outdated') {
    return (
      <OfflineBanner action={appText.reload} onAction={() => void reloadToNewest()}>
        {appText.outdated}
      </OfflineBanner>
    )
  }
  return down ? <OfflineBanner>{appText.offline}</OfflineBanner> : null
}

function useLasting(now: boolean): boolean {
  const [lasted, setLasted] = useState(false)
  useEffect(() => {
    if (!now) return
    const timer = setTimeout(() => setLasted(true), patienceMs)
    return () => {
      clearTimeout(timer)
      setLasted(false)
    }
  }, [now])
  return now && lasted
}
