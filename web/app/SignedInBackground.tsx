import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { useMatch } from 'react-router'
import { lostFixesOf } from '#client/fixes/lostFixes.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { whenIdle } from '#web/device/idle.ts'
import { catchInstallPrompt } from '#web/device/installation.ts'
import { textStore } from '#web/device/textStore.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { onUnseenFailure } from '#web/message/presses.ts'
import { driverName } from '#web/race/driverName.ts'
import { JoinNotice } from '#web/teams/JoinNotice.tsx'
import { usePlayPractice } from '#web/teams/practice/usePlayPractice.ts'
import { appText } from '#web/text/app.ts'
import { logText } from '#web/text/log.ts'
import { messageText } from '#web/text/message.ts'
import { grouped } from '#web/ui/grouped.ts'
import { OfflineBanner } from '#web/ui/OfflineBanner.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { loadPopups } from '#web/ui/usePopups.ts'
import { deleteUntimedLaps } from '../drive/storedLaps.ts'
import { useOfflineUpload } from '../offline/useOfflineUpload.ts'
import { ConnectionNotice } from './ConnectionNotice.tsx'
import { useHiddenAlerts } from './useHiddenAlerts.ts'

/**
 * Runs on all screens of a signed-in user, but not before they are shown: uploads unsent fixes and driver changes,
 * simulates a practice car, catches the browser's offer to install the app, deletes stored laps of untimed sessions, loads
 * the code of dialogs and menus, and shows failed presses, notices, people who want to join, and alerts on a hidden page.
 */
export function SignedInBackground() {
  useOfflineUpload()
  useStoredLaps()
  usePressFailures()
  useHiddenAlerts()
  usePlayPractice()
  useEffect(catchInstallPrompt, [])
  useEffect(loadPopupsEarly, [])
  return (
    <>
      <ConnectionNotice />
      <LostFixesNotice />
      <JoinNotice />
    </>
  )
}

/** Loads the code of dialogs and menus once the page is idle. Without a network the first that opens tries again. */
function loadPopupsEarly(): () => void {
  return whenIdle(() => void loadPopups().catch(() => undefined))
}

/** Shows a toast if a press fails after its message screen or pit wall was closed. */
function usePressFailures() {
  const channel = useChannel()
  const toasts = useToasts()
  useEffect(
    () =>
      onUnseenFailure(channel, ({ press, why }, session) => {
        const driver = (session && driverName(session)) || messageText.driverWithoutName
        toasts.error(messageText.maybeNotSentTo(messageText.plate(press.type), driver), why)
      }),
    [channel, toasts],
  )
}

/** Deletes laps that the drive screen stored, once their session is not timed any more. */
function useStoredLaps() {
  const client = useQueryClient()
  useEffect(() => {
    const isTimed = async (sessionId: string) => {
      try {
        const { lapTiming, status } = await client.fetchQuery(sessionQuery(sessionId))
        return lapTiming && status === 'Active'
      } catch (reason) {
        return reason instanceof CallRefused && reason.isInaccessible ? false : null
      }
    }
    void deleteUntimedLaps(textStore, isTimed)
  }, [client])
}

/** Shows after the drive how many positions were lost, until the driver dismisses it. */
function LostFixesNotice() {
  const lostFixes = lostFixesOf(useChannel())
  const driving = useMatch('/teams/:teamId/:sessionId/drive') !== null
  const count = useSyncExternalStore(
    listener => lostFixes.onChange(listener),
    () => lostFixes.count,
  )
  if (driving || count === 0) return null
  return (
    <OfflineBanner action={appText.close} onAction={() => lostFixes.dismiss()}>
      {count === 1 ? logText.lostPosition : logText.lostPositions(grouped(count))}
    </OfflineBanner>
  )
}
