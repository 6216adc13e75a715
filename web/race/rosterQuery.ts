import { useQuery, useQueryClient } from '@tanstack/react-query'
import { queryOf } from '#web/api/queryOf.ts'
import { useRoom } from '#web/live/useLive.ts'

export const rosterQuery = (teamId: string) => queryOf('roster.get', { teamId })

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
