import { useQuery } from '@tanstack/react-query'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { joinsAroundStartMs } from '#contract/shared/raceRules.ts'
import { mayEndAfterSilenceMs, silenceMs } from '#contract/shared/silence.ts'
import { activeSessionsQuery } from '#web/api/teamQueries.ts'
import { carRaceQuery } from '#web/race/carRaceQuery.ts'
import { phoneLabel } from '#web/race/phoneLabel.ts'
import { useRaces } from '#web/race/racesQuery.ts'
import { useServerNow } from '#web/race/useServerNow.ts'
import { teamsText } from '#web/text/teams.ts'
import { shortDay } from '#web/ui/dates.ts'
import type { useCarChoice } from './useCarChoice.ts'

const refreshMs = 60_000

interface Joined {
  /** The name of the session by its car and the race that it joins, else the day; empty while these are not known. */
  name: string
  /** Names the phone that keeps the car in a race that is over although another one is due; absent without one. */
  held?: string
}

/** Returns the race that a new session joins: the rules of `raceToJoin` on the server. */
export function useJoinedRace(
  teamId: string,
  { chosen: { carId }, names }: Pick<ReturnType<typeof useCarChoice>, 'chosen' | 'names'>,
): Joined {
  const { data: races, isPending } = useRaces(teamId)
  // The events of a team do not contain the time of the last contact.
  const { data: sessions } = useQuery({
    ...activeSessionsQuery(teamId),
    refetchInterval: refreshMs,
  })
  const nowMs = useServerNow(refreshMs)
  const due = races?.find(
    ({ carIds, startedAt, startsAt, endedAt }) =>
      endedAt === null &&
      (carIds.length === 0 || (carId !== null && carIds.includes(carId))) &&
      (startedAt !== null || startsAt === null || Math.abs(startsAt - nowMs) < joinsAroundStartMs),
  )
  const other = sessions?.find(
    session =>
      session.car?.id === carId &&
      !(due && session.dataLink && silenceMs(session, nowMs) >= mayEndAfterSilenceMs),
  )
  const isRunning = due !== undefined && due.startedAt !== null
  const { data: stored, isLoading } = useQuery({
    ...carRaceQuery(other?.id ?? ''),
    enabled: other !== undefined && !isRunning,
  })
  if (carId === null || names.car === null || isPending || isLoading) return { name: '' }
  const ofPhone = isRunning ? undefined : races?.find(({ id }) => id === stored?.race?.id)
  const joins = ofPhone && (ofPhone.endedAt ?? nowMs) > nowMs - joinsAroundStartMs ? ofPhone : due
  const name = teamsText
    .proposedName(names.car, joins?.name ?? shortDay(nowMs))
    .slice(0, maxNameLetters)
  if (!due || !joins || !stored || !other || joins.endedAt === null) return { name }
  const phone = phoneLabel(stored.phones, other.id)
  return { name, held: teamsText.heldInRace({ phone, over: joins.name, due: due.name }) }
}
