import { useEffect, useEffectEvent, useRef } from 'react'
import { useMatch } from 'react-router'
import type { Session } from '#contract/sessions.ts'
import { offlineAfterMs, onlineRecheckIntervalMs } from '#contract/shared/liveRules.ts'
import { alertWhileHidden, unlockAlerts } from '#web/device/attention/hiddenAlert.ts'
import { useRoom, useServerClock } from '#web/live/useLive.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { alertsText } from '#web/text/alerts.ts'

/**
 * Alerts the team on an open but hidden page when a session starts or ends, or its driver goes silent. The drive
 * screen has none: its phone is in the car.
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
      alertWhileHidden(alertsText.sessionStarted(event.session.name))
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

/** Alerts once each time the phone of an active session has been silent for some seconds. */
function SilenceAlert({ sessionId }: { sessionId: string }) {
  const serverNow = useServerClock()
  const session = useLiveSession(sessionId, state => state.session)
  const liveAt = useLiveSession(sessionId, state => state.lastContactAt)
  const wasOnline = useRef(false)
  const check = useEffectEvent(() => {
    const contactAt = liveAt ?? session?.lastDriverContactAt ?? null
    const online = contactAt !== null && serverNow() - contactAt < offlineAfterMs
    if (wasOnline.current && !online && session?.status === 'Active')
      alertWhileHidden(alertsText.driverSilent(session.name))
    wasOnline.current = online
  })
  useEffect(() => {
    check()
    const timer = setInterval(() => check(), onlineRecheckIntervalMs)
    return () => clearInterval(timer)
  }, [])
  return null
}
