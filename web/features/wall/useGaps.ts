import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { RaceOfSession } from '#contract/races/stints.ts'
import type { LapTable } from '#contract/sessions/laps.ts'
import type { Session } from '#contract/sessions/sessions.ts'
import { crossingsOf, type Gaps, gapsOf } from '#racing/gaps/gaps.ts'
import { lapsQuery } from '#web/laps/useLaps.ts'
import { stintsQuery } from '#web/stints/useStints.ts'
import { drivingSessions } from './drivingSessions.ts'

/**
 * Returns the gaps between the cars, by the session that each car drives. Without the start of a race, laps count from
 * when the last car crossed the line for the first time. The lanes keep the laps up to date.
 */
export function useGaps(lanes: readonly Session[]): ReadonlyMap<string, Gaps> {
  const races = useQueries({
    queries: lanes.map(({ id }) => stintsQuery(id)),
    combine: dataOf<RaceOfSession>,
  })
  const raceStartedAt = races[0]?.race?.startedAt ?? null
  const tables = useQueries({
    queries: lanes.map(({ id }) => lapsQuery(id)),
    combine: dataOf<LapTable>,
  })
  return useMemo(() => {
    const cars = lanes.map(({ id, car, startedAt }, index) => {
      const { pitVisits = [], ...earlier } = races[index] ?? {}
      const crossings = crossingsOf(id, tables[index]?.laps ?? [], pitVisits, earlier)
      return { car, startedAt, crossings }
    })
    // Until it has crossed the line, a car that another phone continues keeps the gaps of its earlier session.
    const started = drivingSessions(cars.filter(({ crossings }) => crossings.at.length > 0))
    const driven = started.map(({ crossings }) => crossings)
    const lastFirst = Math.max(0, ...driven.map(({ at }) => at[0] ?? 0))
    return gapsOf(driven, raceStartedAt ?? lastFirst)
  }, [lanes, tables, races, raceStartedAt])
}

function dataOf<T>(results: readonly { data: T | undefined }[]) {
  return results.map(({ data }) => data)
}
