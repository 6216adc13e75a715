import { useMatch } from 'react-router'
import { reloadToNewest } from '#web/device/appWorker.ts'
import { useConnectionState } from '#web/live/useLive.ts'
import { useLost } from '#web/live/useLost.ts'
import { appText } from '#web/text/app.ts'
import { OfflineBanner } from '#web/ui/OfflineBanner.tsx'

/** Shows that this device cannot reach the server. The live screens have a place of their own for it. */
export function ConnectionNotice() {
  const connection = useConnectionState()
  const driving = useMatch('/teams/:teamId/:sessionId/drive') !== null
  const messaging = useMatch('/teams/:teamId/:sessionId/message') !== null
  const onWall = useMatch('/teams/:teamId/wall') !== null
  const lost = useLost()
  if (driving) return null
  if (connection.status === 'closed' && connection.reason === 'outdated') {
    return (
      <OfflineBanner action={appText.reload} onAction={() => void reloadToNewest()}>
        {appText.outdated}
      </OfflineBanner>
    )
  }
  return lost && !messaging && !onWall ? <OfflineBanner>{appText.offline}</OfflineBanner> : null
}
