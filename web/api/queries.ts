import { queryOptions } from '@tanstack/react-query'
import { read } from './call.ts'

// Queries shared by all team screens. Those of single screens are in other files, so that the drive screen
// loads less code.

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
