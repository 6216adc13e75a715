import { useEffect, useEffectEvent, useRef } from 'react'
import { useMatch } from 'react-router'
import type { Session } from '#contract/sessions.ts'
import { isDriverOnline, onlineRecheckIntervalMs } from '#contract/shared/liveRules.ts'
import { read } from '#web/api/call.ts'
import { mayRetrySoon } from '#web/api/queryClient.ts'
import { alertWhileHidden, unlockAlerts } from '#web/device/hiddenAlert.ts'
import { isVisible, onVisibility } from '#web/device/visibility.ts'
import { useRoom, useServerClock } from '#web/live/useLive.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { alertsText } from '#web/text/alerts.ts'
import { eventsText } from '#web/text/events.ts'
import { ringWhileHidden } from './bell.ts'

/** Interval between two reads of contacts. Browsers stretch it to a minute on hidden pages. */
const contactsIntervalMs = 10_000

/**
 * Alerts the team on an open but hidden page to the events that the person chose, and to the end of a session. The
 * drive screen has none: its phone is in the car.
 */
export function HiddenAlerts() {
  const teamId = useMatch('/teams/:teamId/*')?.params.teamId
  const isDriving = useMatch('/teams/:teamId/:sessionId/drive') !== null
  const sessionId = useMatch('/teams/:teamId/:sessionId/message')?.params.sessionId
  useEffect(unlockAlerts, [])
  if (teamId === undefined || teamId === 'create' || isDriving) return null
  return (
    <>
      <SessionAlerts key={teamId} teamId={teamId} />
      {sessionId !== undefined && <SilenceAlert key={sessionId} sessionId={sessionId} />}
      <OtherSilenceAlerts key={`silent ${teamId}`} teamId={teamId} watched={sessionId} />
    </>
  )
}

function SessionAlerts({ teamId }: { teamId: string }) {
  const active = useRef(new Map<string, string>())
  useRoom(`team:${teamId}`, event => {
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
  return null
}

function namesOf(sessions: readonly Session[]): Map<string, string> {
  return new Map(sessions.map(({ id, name }) => [id, name]))
}

interface OthersProps {
  teamId: string
  /** The session that is open on this page: see `SilenceAlert`. */
  watched: string | undefined
}

/**
 * Alerts when the phone of another active session becomes silent. It reads their contacts from time to time: a
 * subscription would show this person as a watcher of each.
 */
function OtherSilenceAlerts({ teamId, watched }: OthersProps) {
  const serverNow = useServerClock()
  const online = useRef(new Set<string>())
  const check = useEffectEvent(async () => {
    if (isVisible()) return online.current.clear()
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
  }, [])
  return null
}

/**
 * Alerts once each time the phone of an active session has been silent for some seconds. Asks the server first: if this
 * page has lost its connection, it receives no contacts either.
 */
function SilenceAlert({ sessionId }: { sessionId: string }) {
  const serverNow = useServerClock()
  const session = useLiveSession(sessionId, state => state.session)
  const liveAt = useLiveSession(sessionId, state => state.lastContactAt)
  const wasOnline = useRef(false)
  const check = useEffectEvent(async () => {
    const now = serverNow()
    const contactAt = liveAt ?? session?.lastDriverContactAt ?? null
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
    void check()
    const timer = setInterval(() => void check(), onlineRecheckIntervalMs)
    return () => clearInterval(timer)
  }, [])
  return null
}
