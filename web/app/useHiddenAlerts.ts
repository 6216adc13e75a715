import { useEffect, useRef } from 'react'
import { useMatch } from 'react-router'
import type { Session } from '#contract/sessions.ts'
import { eventName, eventSentences } from '#contract/teamEvents.ts'
import { alertWhileHidden, unlockAlerts } from '#web/device/hiddenAlert.ts'
import { useRoom } from '#web/live/useLive.ts'
import { alertsText } from '#web/text/alerts.ts'
import { ringWhileHidden } from './bell.ts'

/**
 * Alerts the team on an open but hidden page to the events that the person chose, and to the end of a session. The
 * drive screen has none: its phone is in the car.
 */
export function useHiddenAlerts() {
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
