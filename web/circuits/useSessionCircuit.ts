import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SessionCircuit } from '#contract/circuits.ts'
import { useRoom } from '#web/live/useLive.ts'
import { sessionCircuitQuery } from './circuitQueries.ts'

/**
 * Returns the circuit on which a session is timed, requested again when it changes and after each reconnection. Null
 * while it is not known; undefined while it is loaded.
 */
export function useSessionCircuit(sessionId: string): SessionCircuit | null | undefined {
  const client = useQueryClient()
  const query = sessionCircuitQuery(sessionId)
  useRoom(`session:${sessionId}`, ({ t }) => {
    if (t === 'circuits-changed' || t === 'snapshot')
      void client.invalidateQueries({ queryKey: query.queryKey })
  })
  return useQuery(query).data
}
