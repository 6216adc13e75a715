import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { read } from '#web/api/call.ts'
import { useRoom } from '#web/live/useLive.ts'
import type { DrivenCircuit } from './storedLaps.ts'

/**
 * Returns the circuit of a session, requested again when it changes and after each reconnection; null while it is not
 * known.
 */
export function useSessionCircuit(sessionId: string): DrivenCircuit | null {
  const client = useQueryClient()
  const query = queryOptions({
    queryKey: ['circuits.ofSession', sessionId],
    queryFn: async ({ signal }) => {
      const circuit = await read('circuits.ofSession', { sessionId }, { signal })
      if (!circuit) return null
      const { id, version, outline, line, pitLane } = circuit
      return { id, version, outline, line, ...(pitLane && { pitLane }) }
    },
  })
  useRoom(`session:${sessionId}`, ({ t }) => {
    if (t === 'circuits-changed' || t === 'snapshot')
      void client.invalidateQueries({ queryKey: query.queryKey })
  })
  return useQuery(query).data ?? null
}
