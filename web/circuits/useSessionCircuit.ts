import type { SessionCircuit } from '#contract/circuits.ts'
import { type LiveQuery, useLiveQuery } from '#web/live/useLiveQuery.ts'
import { sessionCircuitQuery } from './circuitQueries.ts'

/**
 * Returns the circuit on which a session is timed, requested again when it changes and after each reconnection. Null
 * while it is not known; undefined while it is loaded.
 */
export function useSessionCircuit(sessionId: string): SessionCircuit | null | undefined {
  return useLiveQuery({ room: `session:${sessionId}`, ...liveCircuit(sessionId) }).data
}

/** The circuit of a session, and what follows from an event of its room. */
export function liveCircuit(sessionId: string): LiveQuery<SessionCircuit | null> {
  return {
    query: sessionCircuitQuery(sessionId),
    outdatedBy: ({ t }) => t === 'circuits-changed',
  }
}
