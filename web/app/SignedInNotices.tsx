import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useMatch } from 'react-router'
import { lostFixesOf } from '#client/fixes/lostFixes.ts'
import type { Session } from '#contract/sessions.ts'
import { eventName, eventSentences } from '#contract/teamEvents.ts'
import { useSupportVisit } from '#support/web/registerVisit.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { alertWhileHidden, unlockAlerts } from '#web/device/hiddenAlert.ts'
import { whenIdle } from '#web/device/idle.ts'
import { catchInstallPrompt } from '#web/device/installation.ts'
import { textStore } from '#web/device/textStore.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useRoom } from '#web/live/useLive.ts'
import { onUnseenFailure } from '#web/message/presses.ts'
import { driverName } from '#web/race/driverName.ts'
import { JoinNotice } from '#web/teams/JoinNotice.tsx'
import { usePlayPractice } from '#web/teams/practice/usePlayPractice.ts'
import { alertsText } from '#web/text/alerts.ts'
import { appText } from '#web/text/app.ts'
import { logText } from '#web/text/log.ts'
import { messageText } from '#web/text/message.ts'
import { grouped } from '#web/ui/grouped.ts'
import { OfflineBanner } from '#web/ui/OfflineBanner.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { loadPopups } from '#web/ui/usePopups.ts'
import { deleteUntimedLaps } from '../drive/storedLaps.ts'
import { useOfflineUpload } from '../offline/useOfflineUpload.ts'
import { ringWhileHidden } from './bell.ts'
import { ConnectionNotice } from './ConnectionNotice.tsx'

/**
 * Shows notices on all screens of a signed-in user, but not before the screens: about the connection, lost positions,
 * people who want to join, failed presses, and events on a hidden page. Its code also uploads unsent fixes and driver
 * changes, simulates a practice car, starts a visit at the support desk, deletes stored laps of untimed sessions, catches
 * the browser's offer to install the app, and loads dialogs and menus.
 */
export function SignedInNotices() {
  useOfflineUpload()
  useStoredLaps()
  usePressFailures()
  useHiddenAlerts()
  usePlayPractice()
  useSupportVisit()
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

/** Loads the code of dialogs and menus once the screen is there. Without a network the first that opens tries again. */
function loadPopupsEarly(): () => void {
  return whenIdle(() => void loadPopups().catch(() => undefined), 2000)
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

/**
 * Alerts the team on an open but hidden page to the events that the person chose, and to the end of a session. The
 * drive screen has none: its phone is in the car.
 */
function useHiddenAlerts() {
  const page = useMatch('/teams/:teamId/*')?.params.teamId
  const isDriving = useMatch('/teams/:teamId/:sessionId/drive') !== null
  const teamId = page === undefined || page === 'create' || isDriving ? null : page
  useEffect(unlockAlerts, [])
  useSessionAlerts(teamId)
}

function useSessionAlerts(teamId: string | null) {
  const active = useRef(new Map<string, string>())
  const silences = useRef<Map<string, number>>(null)
  /** Alerts to each silence once: one that this page missed is in the next snapshot. */
  function alertToSilence(sessionId: string, since: number) {
    const isKnown = silences.current?.get(sessionId) === since
    silences.current?.set(sessionId, since)
    const name = active.current.get(sessionId)
    if (!isKnown && name !== undefined)
      void ringWhileHidden('driver-silent', alertsText.driverSilent(name))
  }
  useRoom(teamId === null ? null : `team:${teamId}`, event => {
    if (event.t === 'snapshot' && event.snapshot.of === 'team') {
      const { sessions, silent = {} } = event.snapshot
      active.current = namesOf(sessions)
      // Silences before this page was opened are no news.
      silences.current ??= new Map(Object.entries(silent))
      for (const [id, since] of Object.entries(silent)) alertToSilence(id, since)
    } else if (event.t === 'silent') {
      if (event.since !== null) alertToSilence(event.session, event.since)
    } else if (event.t === 'session-started') {
      const name = nameOf(event.session)
      active.current.set(event.session.id, name)
      void ringWhileHidden('session-started', eventSentences['session-started'](name))
    } else if (event.t === 'team-event') {
      const { kind } = event.event
      // The start and silence are known here already, earlier and without the limit on events.
      if (kind === 'session-started' || kind === 'driver-silent') return
      // A newer server may send a kind that this build does not know.
      if (Object.hasOwn(eventSentences, kind))
        void ringWhileHidden(kind, eventSentences[kind](eventName(event.event)))
    } else if (event.t === 'session-changed' && !event.session.practice) {
      active.current.set(event.session.id, nameOf(event.session))
    } else if (event.t === 'session-ended') {
      const name = active.current.get(event.session)
      active.current.delete(event.session)
      if (name !== undefined) alertWhileHidden(alertsText.sessionEnded(name))
    }
  })
}

function namesOf(sessions: readonly Session[]): Map<string, string> {
  return new Map(sessions.map(session => [session.id, nameOf(session)]))
}

function nameOf({ name, car }: Session): string {
  return eventName({ name, car: car?.number })
}
