import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Race } from '#contract/races.ts'
import { read } from '#web/api/call.ts'
import { useRoom } from '#web/live/useLive.ts'

export function racesQuery(teamId: string) {
  return queryOptions({
    queryKey: ['races.list', teamId],
    queryFn: ({ signal }) => read('races.list', { teamId }, { signal }),
  })
}

/** Returns the races of a team, the one that runs or starts next first, requested again when they change (R14). */
export function useRaces(teamId: string) {
  const client = useQueryClient()
  const query = racesQuery(teamId)
  useRoom(`team:${teamId}`, ({ t }) => {
    if (t === 'race-changed' || t === 'snapshot')
      void client.invalidateQueries({ queryKey: query.queryKey })
  })
  return useQuery(query)
}

/** Returns a list of races in which one is added or replaced. */
export function withRace(races: readonly Race[] | undefined, race: Race): Race[] {
  const others = races ?? []
  return others.some(({ id }) => id === race.id)
    ? others.map(each => (each.id === race.id ? race : each))
    : [race, ...others]
}
