import { type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRoom } from '#web/live/useLive.ts'

/** Returns a query about the races of a team, requested again when they change and after each reconnection (R14). */
export function useRaceQuery<Data>(
  teamId: string,
  query: UseQueryOptions<Data, Error, Data, string[]> & { queryKey: string[] },
) {
  const client = useQueryClient()
  useRoom(`team:${teamId}`, ({ t }) => {
    if (t === 'race-changed' || t === 'snapshot')
      void client.invalidateQueries({ queryKey: query.queryKey })
  })
  return useQuery(query)
}
