import { queryOptions } from '@tanstack/react-query'
import { maxTeamFiles } from '#contract/fileRules.ts'
import type { LoggedMessage } from '#contract/messages.ts'
import { read } from './call.ts'
import { withNewest } from './logPages.ts'

export const teamsQuery = queryOptions({
  queryKey: ['teams.list'],
  queryFn: ({ signal }) => read('teams.list', {}, { signal }),
})

/** The signed-in user's logins. They change on other devices, so the cache is never used. */
export const loginsQuery = queryOptions({
  queryKey: ['auth.logins'],
  queryFn: ({ signal }) => read('auth.logins', {}, { signal }),
  staleTime: 0,
  gcTime: 0,
})

/** Invitations to the signed-in user's own address. */
export const invitationsQuery = queryOptions({
  queryKey: ['teams.invitations'],
  queryFn: ({ signal }) => read('teams.invitations', {}, { signal }),
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

/** Invited people who have not responded yet. */
export function invitedQuery(teamId: string) {
  return queryOptions({
    queryKey: ['teams.invited', teamId],
    queryFn: ({ signal }) => read('teams.invited', { teamId }, { signal }),
  })
}

/**
 * A team's files: they show which members have a photo. They seldom change, hence the long cache time.
 */
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

/** The newest messages of a session, plus the earlier pages that `useLog` loaded. */
export function logQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['messages.log', sessionId],
    queryFn: async ({ client, queryKey, signal }) => {
      const newest = await read('messages.log', { sessionId }, { signal })
      return withNewest(client.getQueryData<LoggedMessage[]>(queryKey) ?? [], newest)
    },
  })
}
