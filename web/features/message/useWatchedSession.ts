import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { offlineAfterMs, onlineRecheckMs } from '#contract/liveRules.ts'
import type { Message } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { learnMessage } from '#web/live/messageState.ts'
import type { LiveSession } from '#web/live/sessionState.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { useLiveSession } from '#web/live/useSession.ts'

interface WatchedSession {
  readonly session: Session | null
  readonly message: Message | null
  readonly ended: boolean
  /** Why it could not be loaded, and how to try again. */
  readonly failure: {
    readonly reason: unknown
    readonly retry: () => void
    readonly retrying: boolean
  } | null
}

/** The session as the team sees it: as asked for once, and as it changes from then on. */
export function useWatchedSession(sessionId: string): WatchedSession {
  const query = useQuery(sessionQuery(sessionId))
  const live = useLiveSession(sessionId, state => state.session)
  const refused = useLiveSession(sessionId, state => state.refused)
  const asked = query.data ?? null
  const client = useQueryClient()
  useEffect(() => {
    // Whoever comes back to this screen does not begin with what was true before.
    if (live) client.setQueryData(sessionQuery(sessionId).queryKey, live)
  }, [client, sessionId, live])
  const session = live ?? asked
  const message = live && asked ? learnMessage(live.message, asked.message) : session?.message
  // Whoever is no longer a member sees no more, also of what is already here.
  const expelled = refused === 'not-a-member' || refused === 'not-found'
  const reason = expelled
    ? new CallRefused({ code: refused })
    : session === null
      ? query.error
      : null
  return {
    session,
    message: message ?? null,
    ended: live?.status === 'Complete' || asked?.status === 'Complete',
    failure:
      reason === null
        ? null
        : { reason, retry: () => void query.refetch(), retrying: query.isFetching },
  }
}

export interface Contact {
  readonly online: boolean
  /** How long ago the phone was last heard; none if it never was. */
  readonly ageMs: number | null
}

/** Whether the driver is there: the last contact, looked at on each event and every 2.5 s. */
export function useContact(sessionId: string, session: Session | null): Contact {
  const now = useServerNow(onlineRecheckMs)
  const heardAt = useLiveSession(sessionId, (state: LiveSession) => state.lastContactAt)
  const lastAt = heardAt ?? session?.lastDriverContactAt ?? null
  const ageMs = lastAt === null ? null : Math.max(0, now - lastAt)
  return { online: ageMs !== null && ageMs < offlineAfterMs, ageMs }
}

/** The server's time at this rendering, which comes at least this often. */
export function useServerNow(everyMs: number): number {
  const serverNow = useServerClock()
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick(count => count + 1), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return serverNow()
}
