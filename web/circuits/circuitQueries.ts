import { queryOptions } from '@tanstack/react-query'
import { read } from '#web/api/call.ts'

export function sessionCircuitQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['circuits.ofSession', sessionId],
    queryFn: ({ signal }) => read('circuits.ofSession', { sessionId }, { signal }),
  })
}

export function circuitsQuery(teamId: string) {
  return queryOptions({
    queryKey: ['circuits.list', teamId],
    queryFn: ({ signal }) => read('circuits.list', { teamId }, { signal }),
  })
}

export function circuitQuery(teamId: string, circuitId: string) {
  return queryOptions({
    queryKey: ['circuits.get', teamId, circuitId],
    queryFn: ({ signal }) => read('circuits.get', { teamId, circuitId }, { signal }),
  })
}
