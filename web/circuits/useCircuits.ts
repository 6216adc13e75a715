import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Session } from '#contract/sessions.ts'
import { activeSessionsQuery } from '#web/api/teamQueries.ts'
import { useRoom } from '#web/live/useLive.ts'
import { circuitsQuery, sessionCircuitQuery } from './circuitQueries.ts'

/** An active session, and the id of its circuit: null while it is not known, undefined until it is loaded. */
export interface CircuitCar {
  readonly session: Session
  readonly circuitId: string | null | undefined
}

/** True while the circuit of a car is searched, or learned; without lap timing it is not. */
export function isNotKnown({ session, circuitId }: CircuitCar): boolean {
  return session.lapTiming && circuitId === null
}

/** Returns a team's circuits and cars, requested again when they change and after each reconnection (R13). */
export function useCircuits(teamId: string) {
  const client = useQueryClient()
  useRoom(`team:${teamId}`, ({ t }) => {
    if (t === 'circuits-changed' || t === 'snapshot')
      void client.invalidateQueries({
        predicate: ({ queryKey: [call] }) => String(call).startsWith('circuits.'),
      })
    if (t === 'session-started' || t === 'session-ended' || t === 'snapshot')
      void client.invalidateQueries({ queryKey: activeSessionsQuery(teamId).queryKey })
  })
  const circuits = useQuery(circuitsQuery(teamId))
  const sessions = useQuery(activeSessionsQuery(teamId)).data
  const ids = sessions?.map(({ id }) => id) ?? []
  const known = useQuery({
    queryKey: ['circuits.cars', ...ids],
    queryFn: () => Promise.all(ids.map(id => client.fetchQuery(sessionCircuitQuery(id)))),
    enabled: ids.length > 0,
  }).data
  const cars = sessions?.map((session, index): CircuitCar => {
    const circuit = known?.[index]
    return { session, circuitId: circuit && circuit.id }
  })
  return { circuits, cars }
}
