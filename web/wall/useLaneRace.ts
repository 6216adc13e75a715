import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRoom } from '#web/live/useLive.ts'
import { stintsQuery } from '#web/race/useStints.ts'

/** Returns the race of one car, requested again when it changes. It is not stored: a wall needs the network. */
export function useLaneRace(sessionId: string) {
  const client = useQueryClient()
  const query = stintsQuery(sessionId)
  useRoom(`session:${sessionId}`, ({ t }) => {
    if (t === 'race-changed' || t === 'snapshot')
      void client.invalidateQueries({ queryKey: query.queryKey })
  })
  return useQuery(query).data
}
