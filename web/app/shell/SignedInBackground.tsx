import { useEffect } from 'react'
import { catchInstallPrompt } from '#web/device/installation.ts'
import { useOfflineUpload } from '../../offline/useOfflineUpload.ts'
import { ConnectionNotice } from './ConnectionNotice.tsx'
import { HiddenAlerts } from './HiddenAlerts.tsx'
import { LostFixesNotice } from './LostFixesNotice.tsx'
import { useLiveAccount } from './useLiveAccount.ts'
import { useStoredLaps } from './useStoredLaps.ts'

/**
 * Shared by the screens of a signed-in user, but not needed at first: the upload of unsent fixes and driver
 * changes, changes of teams, the browser's offer to install the app, laps that must not stay, notices, and alerts on a hidden page.
 */
export function SignedInBackground() {
  useOfflineUpload()
  useLiveAccount()
  useStoredLaps()
  useEffect(catchInstallPrompt, [])
  return (
    <>
      <ConnectionNotice />
      <HiddenAlerts />
      <LostFixesNotice />
    </>
  )
}
