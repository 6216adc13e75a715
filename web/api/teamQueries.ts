import { maxTeamFiles } from '#contract/shared/fileRules.ts'
import { queryOf } from './queryOf.ts'

export const teamsQuery = queryOf('teams.list', {})
/** Deleted teams that the signed-in user can restore. */
export const deletedTeamsQuery = queryOf('teams.listDeleted', {})
/** Invitations to the signed-in user's email address. */
export const invitationsQuery = queryOf('teams.invitations', {})

export const membersQuery = (teamId: string) => queryOf('teams.members', { teamId })
/** Invited people who have not responded yet. */
export const invitedQuery = (teamId: string) => queryOf('teams.invited', { teamId })
export const activeSessionsQuery = (teamId: string) => queryOf('sessions.listActive', { teamId })
export const practiceQuery = (teamId: string) => queryOf('sessions.practice', { teamId })
export const endedSessionsQuery = (teamId: string) => queryOf('sessions.listEnded', { teamId })

/** A team's files: they show which members have a photo. They seldom change, hence the long cache time. */
export const filesQuery = (teamId: string) =>
  queryOf('files.list', { teamId, limit: maxTeamFiles }, { staleTime: 5 * 60_000 })
