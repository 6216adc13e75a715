import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { read } from '#web/api/call.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { withEarlier } from './logPages.ts'
import { logQuery } from './logQuery.ts'

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
