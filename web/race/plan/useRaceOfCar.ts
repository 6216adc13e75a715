import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { StoredCarRace } from '#contract/carRaces.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { useRoom } from '#web/live/useLive.ts'
import { useCarRace } from '#web/race/useCarRace.ts'
import { raceOfCarQuery } from './raceOfCarQuery.ts'

/**
 * Returns the race of a car, with its laps as they are published once a session has joined it. `raceId` is null before the
 * race is saved.
 */
export function useRaceOfCar(
  teamId: string,
  { raceId, carId }: { raceId: string | null; carId: string | null },
) {
  const client = useQueryClient()
  const query = raceOfCarQuery(raceId ?? '', carId)
  useRoom(`team:${teamId}`, ({ t }) => {
    if (t === 'race-changed' || t === 'snapshot' || t === 'session-started')
      void client.invalidateQueries({ queryKey: query.queryKey.slice(0, 2) })
  })
  const { data, error, isFetching, refetch } = useQuery({ ...query, enabled: raceId !== null })
  const sessionId = data?.phones.at(-1)?.sessionId ?? null
  const { race: live } = useCarRace(sessionId, { isKept: false })
  // The session may have left the race since.
  const isLive = live?.race?.id === raceId && (live?.car?.id ?? null) === carId
  const race = isLive ? live : data && carRaceOf(data)
  return { race, sessionId, error, isFetching, refetch }
}

/** Returns the races of these cars of a race that has not started, as far as they have arrived. */
export function useOtherCars(raceId: string | null, carIds: readonly string[]) {
  const queries = useQueries({
    queries: carIds.map(carId => ({
      ...raceOfCarQuery(raceId ?? '', carId),
      enabled: raceId !== null,
      select: carRaceOf<StoredCarRace>,
    })),
  })
  return queries.flatMap(({ data }, index) => {
    const carId = carIds[index]
    return data && carId !== undefined ? [{ carId, race: data }] : []
  })
}
