import { queryOptions } from '@tanstack/react-query'
import { maxTeamFiles } from '#contract/shared/fileRules.ts'
import { read } from './call.ts'

export const teamsQuery = queryOptions({
  queryKey: ['teams.list'],
  queryFn: ({ signal }) => read('teams.list', {}, { signal }),
})

/** Deleted teams that the signed-in user can restore. */
export const deletedTeamsQuery = queryOptions({
  queryKey: ['teams.listDeleted'],
  queryFn: ({ signal }) => read('teams.listDeleted', {}, { signal }),
})

/** Invitations to the signed-in user's email address. */
export const invitationsQuery = queryOptions({
  queryKey: ['teams.invitations'],
  queryFn: ({ signal }) => read('teams.invitations', {}, { signal }),
})

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
