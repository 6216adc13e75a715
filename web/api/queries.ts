import { queryOf } from './queryOf.ts'

// Queries shared by all team screens. Those of single screens are in other files, so that the drive screen
// loads less code.

export const teamQuery = (teamId: string) => queryOf('teams.get', { teamId })
export const sessionQuery = (sessionId: string) => queryOf('sessions.get', { sessionId })
