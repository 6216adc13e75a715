import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { read } from '#web/api/call.ts'
import { useRoom } from '#web/live/useLive.ts'

export function rosterQuery(teamId: string) {
  return queryOptions({
    queryKey: ['roster.get', teamId],
    queryFn: ({ signal }) => read('roster.get', { teamId }, { signal }),
  })
}

/** Returns a team's cars and drivers, requested again when they change and after each reconnection (R14). */
export function useRoster(teamId: string) {
  const client = useQueryClient()
  const query = rosterQuery(teamId)
  useRoom(`team:${teamId}`, ({ t }) => {
    if (t === 'race-changed' || t === 'snapshot')
      void client.invalidateQueries({ queryKey: query.queryKey })
  })
  return useQuery(query)
}
