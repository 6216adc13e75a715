import { maxNameLetters } from '#contract/shared/bounds.ts'
import { joinsAroundStartMs } from '#contract/shared/raceRules.ts'
import { shortDay } from '#web/race/plan/raceSpan.ts'
import { useRaces } from '#web/race/racesQuery.ts'
import { useServerNow } from '#web/race/useServerNow.ts'
import { teamsText } from '#web/text/teams.ts'
import type { useCarChoice } from './useCarChoice.ts'

const refreshMs = 60_000

/** Returns the name of a new session by its car and the race that it joins, else the day; empty without a car. */
export function useProposedName(
  teamId: string,
  { chosen: { carId }, names }: Pick<ReturnType<typeof useCarChoice>, 'chosen' | 'names'>,
): string {
  const { data: races, isPending } = useRaces(teamId)
  const nowMs = useServerNow(refreshMs)
  if (carId === null || names.car === null || isPending) return ''
  const race = races?.find(
    ({ carIds, startedAt, startsAt, endedAt }) =>
      endedAt === null &&
      (carIds.length === 0 || carIds.includes(carId)) &&
      (startedAt !== null || startsAt === null || Math.abs(startsAt - nowMs) < joinsAroundStartMs),
  )
  return teamsText.proposedName(names.car, race?.name ?? shortDay(nowMs)).slice(0, maxNameLetters)
}
