import { hashKey, useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { Down } from '#contract/live.ts'
import type { Car } from '#contract/roster.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { useRoom } from '#web/live/useLive.ts'
import { useLiveQueries } from '#web/live/useLiveQueries.ts'
import { forgetUnused, requestFor, useLiveQuery, useRoomCause } from '#web/live/useLiveQuery.ts'
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
  const { data, error, isFetching, refetch } = useLiveQuery({
    room: raceId === null ? null : `team:${teamId}`,
    query: raceOfCarQuery(raceId ?? '', carId),
    outdatedBy: changesRaces,
  })
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
  const stored = useStoredRaces(teamId, raceId, cars)
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

/** Returns what is stored about the races of cars, each kept up to date as by `useLiveQuery`. */
function useStoredRaces(teamId: string, raceId: string | null, cars: readonly Car[]) {
  const client = useQueryClient()
  const room = raceId === null ? null : (`team:${teamId}` as const)
  const cause = useRoomCause(room)
  const queries = cars.map(({ id }) => raceOfCarQuery(raceId ?? '', id))
  const refresh = (cause: object) => {
    for (const { queryKey } of queries) requestFor(client, queryKey, cause)
  }
  useRoom(room, event => {
    if (changesRaces(event)) refresh(event)
  })
  const stored = useQueries({
    queries: queries.map(query => ({
      ...query,
      enabled: cause !== null,
      staleTime: Number.POSITIVE_INFINITY,
    })),
    combine: dataOf,
  })
  const onCause = useEffectEvent(refresh)
  const hashes = queries.map(({ queryKey }) => hashKey(queryKey)).join('\n')
  useEffect(() => {
    if (!cause) return
    onCause(cause)
    return () => {
      for (const hash of hashes.split('\n')) forgetUnused(client, hash)
    }
  }, [cause, hashes, client])
  return stored
}

/** Returns whether an event of a team changes its races or the sessions in them. */
function changesRaces({ t }: Down): boolean {
  return t === 'race-changed' || t === 'session-started'
}
