import { queryOptions } from '@tanstack/react-query'
import { maxTeamFiles } from '#contract/fileRules.ts'
import { read } from './call.ts'

export const teamsQuery = queryOptions({
  queryKey: ['teams.list'],
  queryFn: ({ signal }) => read('teams.list', {}, { signal }),
})

export function teamQuery(teamId: string) {
  return queryOptions({
    queryKey: ['teams.get', teamId],
    queryFn: ({ signal }) => read('teams.get', { teamId }, { signal }),
  })
}

export function membersQuery(teamId: string) {
  return queryOptions({
    queryKey: ['teams.members', teamId],
    queryFn: ({ signal }) => read('teams.members', { teamId }, { signal }),
  })
}

/** A team's files: which of its members have a photo. It seldom changes. */
export function filesQuery(teamId: string) {
  return queryOptions({
    queryKey: ['files.list', teamId],
    queryFn: ({ signal }) => read('files.list', { teamId, limit: maxTeamFiles }, { signal }),
    staleTime: 5 * 60_000,
  })
}

export function activeSessionsQuery(teamId: string) {
  return queryOptions({
    queryKey: ['sessions.listActive', teamId],
    queryFn: ({ signal }) => read('sessions.listActive', { teamId }, { signal }),
  })
}

export function endedSessionsQuery(teamId: string) {
  return queryOptions({
    queryKey: ['sessions.listEnded', teamId],
    queryFn: ({ signal }) => read('sessions.listEnded', { teamId }, { signal }),
  })
}

export function sessionQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['sessions.get', sessionId],
    queryFn: ({ signal }) => read('sessions.get', { sessionId }, { signal }),
  })
}

export function logQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['messages.log', sessionId],
    queryFn: ({ signal }) => read('messages.log', { sessionId }, { signal }),
  })
}
