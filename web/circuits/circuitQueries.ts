import { queryOf } from '#web/api/queryOf.ts'

export const sessionCircuitQuery = (sessionId: string) =>
  queryOf('circuits.ofSession', { sessionId })

export const circuitsQuery = (teamId: string) => queryOf('circuits.list', { teamId })

export const circuitQuery = (teamId: string, circuitId: string) =>
  queryOf('circuits.get', { teamId, circuitId })
