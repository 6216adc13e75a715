import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Car } from '#contract/roster.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { useRoom } from '#web/live/useLive.ts'
import { useLiveQueries } from '#web/live/useLiveQueries.ts'
import { type CarRace, sessionInCar } from '#web/race/shownCarRace.ts'
import { useCarRace } from '#web/race/useCarRace.ts'
import { liveLaps } from '#web/race/useLaps.ts'
import { liveCarRace } from '#web/race/useStoredCarRace.ts'
import { raceOfCarQuery } from './raceOfCarQuery.ts'

/**
 * Returns the race of a car, with its laps as they are published once a session has joined it. `raceId` is null before the
 * race is saved.
 */
export function useRaceOfCar(
  teamId: string,
  { raceId, carId }: { raceId: string | null; carId: string | null },
) {
  const query = raceOfCarQuery(raceId ?? '', carId)
  useRaceEvents(teamId)
  const { data, error, isFetching, refetch } = useQuery({ ...query, enabled: raceId !== null })
  const sessionId = data?.phones.at(-1)?.sessionId ?? null
  const { race: live } = useCarRace(sessionId, { isKept: false })
  // The session may have left the race since.
  const isLive = live?.race?.id === raceId && (live?.car?.id ?? null) === carId
  const race = isLive ? live : data && carRaceOf(data)
  return { race, sessionId, error, isFetching, refetch }
}

/** A car of a race, and the race as far as it has arrived. */
export interface KnownCar {
  readonly car: Car
  readonly race: CarRace
}

/** Returns the cars of a race with their laps as they are published, as far as they have arrived. */
export function useCarsOfRace(
  teamId: string,
  raceId: string | null,
  cars: readonly Car[],
): KnownCar[] {
  const client = useQueryClient()
  useRaceEvents(teamId)
  const stored = useQueries({
    queries: cars.map(({ id }) => ({
      ...raceOfCarQuery(raceId ?? '', id),
      enabled: raceId !== null,
    })),
    combine: dataOf,
  })
  const sessions = stored.map(race =>
    race ? (sessionInCar(race) ?? race.phones.at(-1)?.sessionId) : undefined,
  )
  const followed = sessions.filter(id => id !== undefined)
  const races = useLiveQueries(
    followed.map(sessionId => ({ sessionId, ...liveCarRace(sessionId) })),
    dataOf,
  )
  const tables = useLiveQueries(
    followed.map(sessionId => ({ sessionId, ...liveLaps(client, sessionId) })),
    dataOf,
  )
  return cars.flatMap((car, index) => {
    const sessionId = sessions[index]
    const at = sessionId === undefined ? -1 : followed.indexOf(sessionId)
    // The session may have left the race since.
    const live = races[at]?.race?.id === raceId ? races[at] : undefined
    const [known, table] = [live ?? stored[index], tables[at]]
    if (!known) return []
    const laps = live && table && sessionId && { sessionId, laps: table.laps }
    return [{ car, race: carRaceOf(known, laps || undefined) }]
  })
}

function dataOf<T>(results: readonly { readonly data: T | undefined }[]) {
  return results.map(({ data }) => data)
}

/** Requests the races of cars again when a race of the team or its sessions change. */
function useRaceEvents(teamId: string) {
  const client = useQueryClient()
  useRoom(`team:${teamId}`, ({ t }) => {
    if (t === 'race-changed' || t === 'snapshot' || t === 'session-started')
      void client.invalidateQueries({ queryKey: ['carRaces.ofRace'] })
  })
}
