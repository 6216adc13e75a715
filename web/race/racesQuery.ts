import type { Race } from '#contract/races.ts'
import { queryOf } from '#web/api/queryOf.ts'
import { useRaceQuery } from './useRaceQuery.ts'

export const racesQuery = (teamId: string) => queryOf('races.list', { teamId })

/** Returns the races of a team, the one that runs or starts next first. */
export const useRaces = (teamId: string) => useRaceQuery(teamId, racesQuery(teamId))

/** Returns the race of a team that runs; undefined without one. */
export function useRunningRace(teamId: string): Race | undefined {
  return runningRace(useRaces(teamId).data)
}

/** Returns the race that runs among those of a team; undefined without one. */
export function runningRace(races: readonly Race[] | undefined): Race | undefined {
  return races?.find(each => each.startedAt !== null && each.endedAt === null)
}

/** Returns a list of races in which one is added or replaced. */
export function withRace(races: readonly Race[] | undefined, race: Race): Race[] {
  const others = races ?? []
  return others.some(({ id }) => id === race.id)
    ? others.map(each => (each.id === race.id ? race : each))
    : [race, ...others]
}
