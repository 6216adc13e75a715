import { queryOf } from '#web/api/queryOf.ts'
import { useRaceQuery } from './useRaceQuery.ts'

export const rosterQuery = (teamId: string) => queryOf('roster.get', { teamId })

/** Returns a team's cars and drivers. */
export const useRoster = (teamId: string) => useRaceQuery(teamId, rosterQuery(teamId))
