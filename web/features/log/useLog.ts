import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { logQuery, sessionQuery } from '#web/api/queries.ts'
import { useLiveSession } from '#web/live/useSession.ts'

/** The log of a session: asked for again with each message and each receipt. */
export function useLog(sessionId: string) {
  const client = useQueryClient()
  const live = useLiveSession(sessionId, state => state.session)
  const asked = useQuery(sessionQuery(sessionId))
  const message = live?.message
  useEffect(() => {
    if (message) void client.invalidateQueries({ queryKey: logQuery(sessionId).queryKey })
  }, [client, sessionId, message])
  return { session: live ?? asked.data ?? null, log: useQuery(logQuery(sessionId)) }
}
