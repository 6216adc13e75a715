import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { StoredCarRace } from '#contract/carRaces.ts'
import type { LapTable } from '#contract/laps.ts'
import type { Car, Roster } from '#contract/roster.ts'
import type { Session } from '#contract/sessions.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { activeSessionsQuery } from '#web/api/teamQueries.ts'
import { useLiveQueries } from '#web/live/useLiveQueries.ts'
import { inCarOrder } from '#web/race/carOrder.ts'
import { carRaceQuery } from '#web/race/carRaceQuery.ts'
import { rosterQuery, useRoster } from '#web/race/rosterQuery.ts'
import { type CarRace, sessionInCar } from '#web/race/shownCarRace.ts'
import { liveLaps } from '#web/race/useLaps.ts'
import { liveCarRace } from '#web/race/useStoredCarRace.ts'
import { usePracticeCar } from '#web/teams/practice/usePracticeCar.ts'
import { useLiveSessions } from '#web/teams/useLiveSessions.ts'
import { isRealCar, type Lane, lanesOf } from './lanes.ts'

/** A started session appears on a television within this time. Its end arrives as an event of its own room. */
const listedEveryMs = 5000
/** A changed order of cars appears on a television within this time. */
const orderEveryMs = 30_000

/** A car on the wall with its race. */
export interface CarLane extends Lane {
  /** Undefined until it has loaded. */
  readonly race: CarRace | undefined
  /** Laps of the phone in the car; undefined until they have loaded. */
  readonly table: LapTable | undefined
}

export interface Lanes {
  /** Undefined while loading. */
  readonly lanes: readonly CarLane[] | undefined
  /** All cars of the team. */
  readonly cars: readonly Car[]
  /** Why they could not be loaded; null otherwise. */
  readonly failure: {
    readonly message: string
    readonly retrying: boolean
    readonly onRetry: () => void
  } | null
}

const noSessions: readonly Session[] = []
const noCars: readonly Car[] = []

/** Returns the cars on the wall of a member, which follows the events of the team. */
export function useTeamLanes(teamId: string): Lanes {
  useLiveSessions(teamId)
  const practice = usePracticeCar(teamId)
  return useLanes(useQuery(activeSessionsQuery(teamId)), useRoster(teamId), practice)
}

/** Returns the cars on a television, which receives no events of the team. */
export function useTelevisionLanes(teamId: string): Lanes {
  return useLanes(
    useQuery({ ...activeSessionsQuery(teamId), refetchInterval: listedEveryMs }),
    useQuery({ ...rosterQuery(teamId), refetchInterval: orderEveryMs }),
    null,
  )
}

/** Returns the cars that are driven now with their races and laps, in the order of the team, and the practice car last. */
function useLanes(
  { data, error, isFetching, refetch }: UseQueryResult<Session[]>,
  roster: UseQueryResult<Roster>,
  practice: Session | null,
): Lanes {
  const sessions = useMemo(
    () => (practice ? [...(data ?? noSessions), practice] : (data ?? noSessions)),
    [data, practice],
  )
  const cars = roster.data?.cars ?? noCars
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
  if (data && !isReady && !roster.isPending && known.length === sessions.length) setReady(true)
  const lanes = useMemo(
    () =>
      inCarOrder(lanesOf(known, races), cars, ({ session }) => session.car).toSorted(
        (one, other) => Number(isRealCar(other)) - Number(isRealCar(one)),
      ),
    [known, races, cars],
  )
  const tables = useLiveQueries(
    sessions.map(({ id }) => ({ sessionId: id, ...liveLaps(client, id) })),
    resultsOf<LapTable>,
  )
  const carLanes = useMemo(
    () => lanes.map(lane => carLane(lane, races, tables[sessions.indexOf(lane.session)]?.data)),
    [lanes, races, sessions, tables],
  )
  const failure = error && {
    message: refusalText(error),
    retrying: isFetching,
    onRetry: () => void refetch(),
  }
  return { lanes: isReady ? carLanes : undefined, cars, failure }
}

function entryOf(id: string, stored: StoredCarRace | undefined): [string, StoredCarRace][] {
  return stored ? [[id, stored]] : []
}

function carLane(
  lane: Lane,
  races: ReadonlyMap<string, StoredCarRace>,
  table: LapTable | undefined,
): CarLane {
  const { id } = lane.session
  const stored = races.get(id)
  return {
    ...lane,
    race: stored && carRaceOf(stored, table && { sessionId: id, laps: table.laps }),
    table,
  }
}

function resultsOf<T>(results: readonly { data: T | undefined; isPending: boolean }[]) {
  return results.map(({ data, isPending }) => ({ data, isPending }))
}
