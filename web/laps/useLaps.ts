import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { read } from '#web/api/call.ts'
import { useRoom } from '#web/live/useLive.ts'

/**
 * Returns the laps of a session, if one is given, requested again when they change, after each reconnection, and when
 * the session ends.
 */
export function useLaps(sessionId: string | null) {
  const client = useQueryClient()
  const query = lapsQuery(sessionId ?? '')
  useRoom(sessionId === null ? null : `session:${sessionId}`, ({ t }) => {
    if (t === 'laps-changed' || t === 'snapshot' || t === 'session-ended')
      void client.invalidateQueries({ queryKey: query.queryKey })
  })
  return useQuery({ ...query, enabled: sessionId !== null })
}

/** Returns the laps of a session. */
export function lapsQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['laps.list', sessionId],
    queryFn: ({ signal }) => read('laps.list', { sessionId }, { signal }),
  })
}
