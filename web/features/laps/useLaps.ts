import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { read } from '#web/api/call.ts'
import { useRoom } from '#web/live/useLive.ts'

/** The laps of a session, requested again when they change, after each reconnection, and when the session ends. */
export function useLaps(sessionId: string) {
  const client = useQueryClient()
  useRoom(`session:${sessionId}`, ({ t }) => {
    if (t === 'laps-changed' || t === 'snapshot' || t === 'session-ended')
      void client.invalidateQueries({ queryKey: lapsQuery(sessionId).queryKey })
  })
  return useQuery(lapsQuery(sessionId))
}

function lapsQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['laps.list', sessionId],
    queryFn: ({ signal }) => read('laps.list', { sessionId }, { signal }),
  })
}
