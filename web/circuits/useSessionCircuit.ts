import type { SessionCircuit } from '#contract/circuits.ts'
import { useLiveQuery } from '#web/live/useLiveQuery.ts'
import { sessionCircuitQuery } from './circuitQueries.ts'

/**
 * Returns the circuit on which a session is timed, requested again when it changes and after each reconnection. Null
 * while it is not known; undefined while it is loaded.
 */
export function useSessionCircuit(sessionId: string): SessionCircuit | null | undefined {
  return useLiveQuery({
    room: `session:${sessionId}`,
    query: sessionCircuitQuery(sessionId),
    outdatedBy: ({ t }) => t === 'circuits-changed',
  }).data
}
