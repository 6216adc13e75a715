import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { StoredCarRace } from '#contract/carRaces.ts'
import type { Roster } from '#contract/roster.ts'
import type { Session } from '#contract/sessions.ts'
import { useLiveQueries } from '#web/live/useLiveQueries.ts'
import { inCarOrder } from '#web/race/carOrder.ts'
import { carRaceQuery } from '#web/race/carRaceQuery.ts'
import { sessionInCar } from '#web/race/shownCarRace.ts'
import { liveCarRace } from '#web/race/useStoredCarRace.ts'
import { isRealCar, type Lane, lanesOf } from './lanes.ts'

interface CarLanes {
  readonly lanes: readonly Lane[]
  /** The stored race of each session, by its id. */
  readonly races: ReadonlyMap<string, StoredCarRace>
  /** False until the phones and the order of the first cars are known. */
  readonly isReady: boolean
}

const noSessions: readonly Session[] = []

/**
 * Returns the cars of these sessions with their phones, in the order of the team and the practice car last. `listed` is
 * undefined while it loads.
 */
export function useCarLanes(
  listed: readonly Session[] | undefined,
  roster: UseQueryResult<Roster>,
): CarLanes {
  const sessions = listed ?? noSessions
  const client = useQueryClient()
  // Also of a session whose phone is not in the car: it may take over.
  const stored = useLiveQueries(
    sessions.map(({ id: sessionId }) => {
      const known = client.getQueryData(carRaceQuery(sessionId).queryKey)
      return { sessionId, otherId: known && sessionInCar(known), ...liveCarRace(sessionId) }
    }),
    resultsOf<StoredCarRace>,
  )
  const races = useMemo(
    () => new Map(sessions.flatMap(({ id }, index) => entryOf(id, stored[index]?.data))),
    [sessions, stored],
  )
  // Before its race is known, a session may be a lane of its own or a phone of another one.
  const known = useMemo(
    () => sessions.filter((_, index) => !stored[index]?.isPending),
    [sessions, stored],
  )
  const [isReady, setReady] = useState(false)
  // The digits of the lanes follow the list of cars, and stay once they are shown.
  if (listed && !isReady && !roster.isPending && known.length === sessions.length) setReady(true)
  const cars = roster.data?.cars
  const lanes = useMemo(
    () =>
      inCarOrder(lanesOf(known, races), cars ?? [], ({ session }) => session.car).toSorted(
        (one, other) => Number(isRealCar(other)) - Number(isRealCar(one)),
      ),
    [known, races, cars],
  )
  return { lanes, races, isReady }
}

/** The parts of queries that lanes follow. */
export function resultsOf<T>(results: readonly { data: T | undefined; isPending: boolean }[]) {
  return results.map(({ data, isPending }) => ({ data, isPending }))
}

function entryOf(id: string, stored: StoredCarRace | undefined): [string, StoredCarRace][] {
  return stored ? [[id, stored]] : []
}
