import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { LoggedMessage } from '#contract/messages.ts'
import { read } from '#web/api/call.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { withEarlier, withNewest } from './logPages.ts'

/** Each message causes three receipts: throttles refetches of the log to this interval. */
const refetchIntervalMs = 2000

/**
 * The log of a session: its newest page, refetched after each message and receipt, and the earlier
 * pages that were loaded.
 */
export function useLog(sessionId: string) {
  const client = useQueryClient()
  const live = useLiveSession(sessionId, state => state.session)
  const asked = useQuery(sessionQuery(sessionId))
  const log = useQuery(logQuery(sessionId))
  const message = live?.message
  useEffect(() => {
    if (!message) return
    const { queryKey } = logQuery(sessionId)
    const { dataUpdatedAt = 0 } = client.getQueryState(queryKey) ?? {}
    const waitMs = Math.max(0, dataUpdatedAt + refetchIntervalMs - Date.now())
    const timer = setTimeout(() => void client.invalidateQueries({ queryKey }), waitMs)
    return () => clearTimeout(timer)
  }, [client, sessionId, message])

  const oldest = log.data?.at(-1)?.version ?? 1
  const earlier = useMutation({
    mutationFn: () => read('messages.log', { sessionId, before: oldest }),
    onSuccess: page =>
      client.setQueryData(
        logQuery(sessionId).queryKey,
        loaded => loaded && withEarlier(loaded, page),
      ),
  })
  return {
    session: live ?? asked.data ?? null,
    log,
    /** Versions start at 1. */
    hasEarlier: oldest > 1,
    earlier,
  }
}

/** The newest messages of a session, plus the earlier pages that `useLog` loaded. */
function logQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['messages.log', sessionId],
    queryFn: async ({ client, queryKey, signal }) => {
      const newest = await read('messages.log', { sessionId }, { signal })
      return withNewest(client.getQueryData<LoggedMessage[]>(queryKey) ?? [], newest)
    },
  })
}
