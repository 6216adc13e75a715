import { useEffect } from 'react'
import { catchInstallPrompt } from '#web/device/installation.ts'
import { useOfflineUpload } from '../offline/useOfflineUpload.ts'
import { ConnectionNotice } from './ConnectionNotice.tsx'
import { LostFixesNotice } from './LostFixesNotice.tsx'
import { useHiddenAlerts } from './useHiddenAlerts.ts'
import { usePressFailures } from './usePressFailures.ts'
import { useStoredLaps } from './useStoredLaps.ts'

/**
 * Runs on all screens of a signed-in user, but not before they are shown: uploads unsent fixes and driver changes,
 * catches the browser's offer to install the app, deletes stored laps of untimed sessions, and shows failed presses,
 * notices, and alerts on a hidden page.
 */
export function SignedInBackground() {
  useOfflineUpload()
  useStoredLaps()
  usePressFailures()
  useHiddenAlerts()
  useEffect(catchInstallPrompt, [])
  return (
    <>
      <ConnectionNotice />
      <LostFixesNotice />
    </>
  )
}
