import { useQuery, useQueryClient } from '@tanstack/react-query'
import { nearTrackM } from '#contract/shared/geo.ts'
import { useRoom } from '#web/live/useLive.ts'
import { circuitQuery, circuitsQuery } from './circuitQueries.ts'
import type { DrawnCircuit } from './drawing.ts'
import { useSessionCircuit } from './useSessionCircuit.ts'

/** How often a team's circuits are requested again, until the session's circuit is known. */
const searchedEveryMs = 20_000

/**
 * Returns the circuit of a session; before it is known, or without lap timing, the circuit of the team nearest to its
 * car. Undefined if none is nearby, or it is not loaded yet.
 */
export function useMapCircuit(teamId: string, sessionId: string): DrawnCircuit | undefined {
  const client = useQueryClient()
  useRoom(`session:${sessionId}`, ({ t }) => {
    if (t === 'circuits-changed' || t === 'snapshot')
      void client.invalidateQueries({ queryKey: circuitsQuery(teamId).queryKey })
  })
  const known = useSessionCircuit(sessionId)
  const isSearched = known === null
  const { data: listed = [] } = useQuery({
    ...circuitsQuery(teamId),
    enabled: isSearched,
    refetchInterval: searchedEveryMs,
  })
  const [nearest] = listed
  const isNear = isSearched && nearest?.distanceM != null && nearest.distanceM <= nearTrackM
  const near = useQuery({
    ...circuitQuery(teamId, nearest?.id ?? ''),
    enabled: isNear,
  })
  return known ?? (isNear ? near.data : undefined)
}
