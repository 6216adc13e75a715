import { useEffect, useEffectEvent, useRef } from 'react'
import { useMatch } from 'react-router'
import type { Session } from '#contract/sessions.ts'
import { isDriverOnline, onlineRecheckIntervalMs } from '#contract/shared/liveRules.ts'
import { read } from '#web/api/call.ts'
import { mayRetrySoon } from '#web/api/queryClient.ts'
import { alertWhileHidden, unlockAlerts } from '#web/device/hiddenAlert.ts'
import { isVisible, onVisibility } from '#web/device/visibility.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useRoom, useServerClock } from '#web/live/useLive.ts'
import { alertsText } from '#web/text/alerts.ts'
import { eventsText } from '#web/text/events.ts'
import { ringWhileHidden } from './bell.ts'

/** Interval between two reads of contacts. Browsers stretch it to a minute on hidden pages. */
const contactsIntervalMs = 10_000

/**
 * Alerts the team on an open but hidden page to the events that the person chose, and to the end of a session. The
 * drive screen has none: its phone is in the car.
 */
export function useHiddenAlerts() {
  const page = useMatch('/teams/:teamId/*')?.params.teamId
  const isDriving = useMatch('/teams/:teamId/:sessionId/drive') !== null
  const sessionId = useMatch('/teams/:teamId/:sessionId/message')?.params.sessionId ?? null
  const teamId = page === undefined || page === 'create' || isDriving ? null : page
  useEffect(unlockAlerts, [])
  useSessionAlerts(teamId)
  useSilenceAlert(sessionId)
  useOtherSilenceAlerts(teamId, sessionId)
}

function useSessionAlerts(teamId: string | null) {
  const active = useRef(new Map<string, string>())
  useRoom(teamId === null ? null : `team:${teamId}`, event => {
    if (event.t === 'snapshot' && event.snapshot.of === 'team') {
      active.current = namesOf(event.snapshot.sessions)
    } else if (event.t === 'session-started') {
      active.current.set(event.session.id, event.session.name)
      void ringWhileHidden('session-started', alertsText.sessionStarted(event.session.name))
    } else if (event.t === 'team-event') {
      const { kind, name } = event.event
      // The start and silence are known here already, earlier and without the limit on events.
      if (kind === 'session-started' || kind === 'driver-silent') return
      // A newer server may send a kind that this build does not know.
      if (Object.hasOwn(eventsText.sentences, kind))
        void ringWhileHidden(kind, eventsText.sentences[kind](name))
    } else if (event.t === 'session-changed') {
      active.current.set(event.session.id, event.session.name)
    } else if (event.t === 'session-ended') {
      const name = active.current.get(event.session)
      active.current.delete(event.session)
      if (name !== undefined) alertWhileHidden(alertsText.sessionEnded(name))
    }
  })
}

function namesOf(sessions: readonly Session[]): Map<string, string> {
  return new Map(sessions.map(({ id, name }) => [id, name]))
}

/**
 * Alerts when the phone of an active session becomes silent, other than that of the watched one. It reads their contacts
 * from time to time: a subscription would show this person as a watcher of each.
 */
function useOtherSilenceAlerts(teamId: string | null, watched: string | null) {
  const serverNow = useServerClock()
  const online = useRef(new Set<string>())
  const check = useEffectEvent(async () => {
    if (teamId === null || isVisible()) return online.current.clear()
    // A late response has the contacts of the time of its request.
    const now = serverNow()
    // After a failure the next check compares with the last response.
    const sessions = await read('sessions.listActive', { teamId }).catch(() => null)
    if (sessions === null || isVisible()) return
    const before = online.current
    online.current = new Set()
    for (const { id, name, lastDriverContactAt, dataLink } of sessions) {
      if (!dataLink) continue
      if (isDriverOnline(lastDriverContactAt, now)) online.current.add(id)
      else if (before.has(id) && id !== watched)
        void ringWhileHidden('driver-silent', alertsText.driverSilent(name))
    }
  })
  useEffect(() => {
    void check()
    const timer = setInterval(() => void check(), contactsIntervalMs)
    const stop = onVisibility(() => void check())
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [teamId])
}

/**
 * Alerts once each time the phone of an active session has been silent for some seconds. Asks the server first: if this
 * page has lost its connection, it receives no contacts either.
 */
function useSilenceAlert(sessionId: string | null) {
  const channel = useChannel()
  const wasOnline = useRef(false)
  const check = useEffectEvent(async () => {
    if (sessionId === null) return
    const now = channel.clock.now()
    const { session, lastContactAt } = channel.session(sessionId)
    const contactAt = lastContactAt ?? session?.lastDriverContactAt ?? null
    const isSilent = wasOnline.current && !isDriverOnline(contactAt, now)
    wasOnline.current = isDriverOnline(contactAt, now)
    if (!isSilent || isVisible()) return
    let stored: Session
    try {
      stored = await read('sessions.get', { sessionId })
    } catch (reason) {
      // The next check asks again, unless the server refused.
      wasOnline.current ||= mayRetrySoon(reason)
      return
    }
    // The driver came online during the request.
    if (wasOnline.current) return
    if (isDriverOnline(stored.lastDriverContactAt, now)) wasOnline.current = true
    else if (stored.status === 'Active' && stored.dataLink)
      void ringWhileHidden('driver-silent', alertsText.driverSilent(stored.name))
  })
  useEffect(() => {
    if (sessionId === null) return
    wasOnline.current = false
    const stopFollowing = channel.follow(sessionId, () => undefined)
    void check()
    const timer = setInterval(() => void check(), onlineRecheckIntervalMs)
    return () => {
      clearInterval(timer)
      stopFollowing()
    }
  }, [channel, sessionId])
}
