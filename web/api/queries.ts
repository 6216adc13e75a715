import { queryOptions } from '@tanstack/react-query'
import { read } from './call.ts'

// Loaded with every team screen. Queries of single screens are apart, so that the drive screen loads less.

export function teamQuery(teamId: string) {
  return queryOptions({
    queryKey: ['teams.get', teamId],
    queryFn: ({ signal }) => read('teams.get', { teamId }, { signal }),
  })
}

export function sessionQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['sessions.get', sessionId],
    queryFn: ({ signal }) => read('sessions.get', { sessionId }, { signal }),
  })
}
