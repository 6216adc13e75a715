import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LapTable } from '#contract/laps.ts'
import type { Session } from '#contract/sessions.ts'
import { greatestOf } from '#contract/shared/extremes.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import { type CarCrossings, crossingsOf, type Gaps, gapsOf } from '#racing/race/gaps.ts'
import { lapsQuery } from '#web/race/useLaps.ts'
import { stintsQuery } from '#web/race/useStints.ts'
import { drivingSessions } from './drivingSessions.ts'

/** A session with the times at which its car crossed the line. */
type CrossedSession = Session & { crossings: CarCrossings; crossedAt: number | null }

/** The sessions of the wall with their crossings. The lanes request the laps and races. */
interface Crossings {
  sessions: readonly CrossedSession[]
  /** False until the laps are loaded, or could not be, of all sessions whose car has another one: the driven one is known. */
  areLoaded: boolean
  /** When the race of the first session was started; null without one. */
  raceStartedAt: number | null
}

const noLanes: readonly Session[] = []

/** Returns the sessions of the wall with their crossings of the line. */
export function useCrossings(lanes: readonly Session[] = noLanes): Crossings {
  const races = useQueries({
    queries: lanes.map(({ id }) => ({ ...stintsQuery(id), enabled: false })),
    combine: resultsOf<RaceOfSession>,
  })
  const tables = useQueries({
    queries: lanes.map(({ id }) => ({ ...lapsQuery(id), enabled: false })),
    combine: resultsOf<LapTable>,
  })
  return useMemo(() => {
    const sessions = lanes.map((session, index) => {
      const { pitVisits = [], ...earlier } = races[index]?.data ?? {}
      const laps = tables[index]?.data?.laps ?? []
      const crossings = crossingsOf(session.id, laps, pitVisits, earlier)
      return { ...session, crossings, crossedAt: lastEndOf(laps) }
    })
    const isShared = ({ id, car }: Session) =>
      lanes.some(each => car && each.car?.id === car.id && each.id !== id)
    return {
      sessions,
      areLoaded: lanes.every((lane, index) => !isShared(lane) || !tables[index]?.isPending),
      raceStartedAt: races[0]?.data?.race?.startedAt ?? null,
    }
  }, [lanes, tables, races])
}

/** The end of the last lap, also of the one before the first crossing; null without one. */
function lastEndOf(laps: LapTable['laps']): number | null {
  const last = laps.findLast(({ kind }) => kind !== 'incomplete')
  return last ? last.startedAt + last.timeMs : null
}

function resultsOf<T>(results: readonly { data: T | undefined; isPending: boolean }[]) {
  return results.map(({ data, isPending }) => ({ data, isPending }))
}

/**
 * Returns the gaps between the cars, by the session that each car drives. Without the start of a race, laps count from
 * when the last car crossed the line for the first time. Until it has crossed the line, a car that another phone
 * continues keeps the gaps of its earlier session.
 */
export function gapsOnWall({ sessions, raceStartedAt }: Crossings): ReadonlyMap<string, Gaps> {
  const crossed = sessions.filter(({ crossings }) => crossings.at.length > 0)
  const driven = drivingSessions(crossed).map(({ crossings }) => crossings)
  const lastFirst = Math.max(0, greatestOf(driven.map(({ at }) => at[0] ?? 0)))
  return gapsOf(driven, raceStartedAt ?? lastFirst)
}
