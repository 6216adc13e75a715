import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { StoredCarRace } from '#contract/carRaces.ts'
import type { LapTable } from '#contract/laps.ts'
import type { Car, Roster } from '#contract/roster.ts'
import type { Session } from '#contract/sessions.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { activeSessionsQuery } from '#web/api/teamQueries.ts'
import { useLiveQueries } from '#web/live/useLiveQueries.ts'
import type { Lane } from '#web/message/lanes.ts'
import { resultsOf, useCarLanes } from '#web/message/useCarLanes.ts'
import { rosterQuery, useRoster } from '#web/race/rosterQuery.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { liveLaps } from '#web/race/useLaps.ts'
import { useLiveSessions } from '#web/race/useLiveSessions.ts'
import { usePracticeCar } from '#web/teams/practice/usePracticeCar.ts'

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
  const sessions = useMemo(() => data && (practice ? [...data, practice] : data), [data, practice])
  const { lanes, races, isReady } = useCarLanes(sessions, roster)
  const client = useQueryClient()
  const tables = useLiveQueries(
    (sessions ?? []).map(({ id }) => ({ sessionId: id, ...liveLaps(client, id) })),
    resultsOf<LapTable>,
  )
  const carLanes = useMemo(
    () =>
      lanes.map(lane => carLane(lane, races, tables[sessions?.indexOf(lane.session) ?? -1]?.data)),
    [lanes, races, sessions, tables],
  )
  const failure = error && {
    message: refusalText(error),
    retrying: isFetching,
    onRetry: () => void refetch(),
  }
  return { lanes: isReady ? carLanes : undefined, cars: roster.data?.cars ?? noCars, failure }
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
