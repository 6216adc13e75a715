import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { mergeMessage } from '#client/channel/messageState.ts'
import type { Message } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import { isFinal } from '#contract/shared/refusals.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useLiveSession } from '#web/live/useSession.ts'

export interface WatchedSession {
  /** Null while loading. */
  readonly session: Session | null
  readonly message: Message | null
  readonly ended: boolean
  /** The series of the session forbids a data link: no figures and no receipts. */
  readonly linkOff: boolean
  /** The reason of a failed load, and a retry. */
  readonly failure: {
    readonly reason: unknown
    readonly retry: () => void
    readonly retrying: boolean
  } | null
}

/** The session as the team sees it: fetched once, then updated by events. */
export function useWatchedSession(sessionId: string): WatchedSession {
  const query = useQuery(sessionQuery(sessionId))
  const channel = useChannel()
  const client = useQueryClient()
  // Updates the cache when the screen is left, so that the next one does not start with stale data. After each event
  // this would render the screen a second time. Before the hooks that follow the session, whose cleanup forgets it.
  useEffect(
    () => () => {
      const { session } = channel.session(sessionId)
      if (session) client.setQueryData(sessionQuery(sessionId).queryKey, session)
    },
    [channel, client, sessionId],
  )
  const live = useLiveSession(sessionId, state => state.session)
  const refused = useLiveSession(sessionId, state => state.refused)
  const fetched = query.data ?? null
  const session = live ?? fetched
  const message = live && fetched ? mergeMessage(live.message, fetched.message) : session?.message
  // A former member must not see data that is already loaded either.
  const expelled = refused !== null && isFinal(refused)
  const reason = expelled
    ? new CallRefused({ code: refused })
    : session === null
      ? query.error
      : null
  const ended = live?.status === 'Complete' || fetched?.status === 'Complete'
  return {
    session,
    message: message ?? null,
    ended,
    linkOff: session !== null && !session.dataLink && !ended,
    failure:
      reason === null
        ? null
        : { reason, retry: () => void query.refetch(), retrying: query.isFetching },
  }
}
