import type { Race } from '#contract/races.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { queryOf } from '#web/api/queryOf.ts'
import { useRaceQuery } from './useRaceQuery.ts'

export const racesQuery = (teamId: string) => queryOf('races.list', { teamId })

/** Returns the races of a team, the one that runs or starts next first. */
export const useRaces = (teamId: string) => useRaceQuery(teamId, racesQuery(teamId))

/** Returns the race that runs as `runningRace` does. */
export function useRunningRace(teamId: string, carId?: string | null): Race | undefined {
  return runningRace(useRaces(teamId).data, carId)
}

/**
 * Returns the race that runs among those of a team; undefined without one. With `carId` only one that this car is in,
 * which is null for a session without a car: it is in the races of all cars.
 */
export function runningRace(
  races: readonly Race[] | undefined,
  carId?: string | null,
): Race | undefined {
  return races?.find(
    ({ startedAt, endedAt, carIds }) =>
      startedAt !== null &&
      endedAt === null &&
      (carId === undefined || carIds.length === 0 || (carId !== null && carIds.includes(carId))),
  )
}

/** A race that should have started is due for this long, and one that starts within this time is the next one. */
const dueForMs = dayMs
const nextWithinMs = dayMs / 2

/** Returns the race that starts next today, or should have started; undefined without one. */
export function nextRace(races: readonly Race[] | undefined, nowMs: number): Race | undefined {
  return races?.find(
    ({ startsAt, startedAt, endedAt }) =>
      startsAt !== null &&
      startedAt === null &&
      endedAt === null &&
      startsAt > nowMs - dueForMs &&
      startsAt < nowMs + nextWithinMs,
  )
}

/** Returns a list of races in which one is added or replaced. */
export function withRace(races: readonly Race[] | undefined, race: Race): Race[] {
  const others = races ?? []
  return others.some(({ id }) => id === race.id)
    ? others.map(each => (each.id === race.id ? race : each))
    : [race, ...others]
}
