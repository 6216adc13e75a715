import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { RaceOfSession } from '#contract/races/stints.ts'
import type { LapTable } from '#contract/sessions/laps.ts'
import type { Session } from '#contract/sessions/sessions.ts'
import { crossingsOf, type Gaps, gapsOf } from '#racing/gaps/gaps.ts'
import { lapsQuery } from '#web/laps/useLaps.ts'
import { stintsQuery } from '#web/stints/useStints.ts'

/**
 * Returns the gaps between the cars by session. Without the start of a race, laps count from when the last car crossed
 * the line for the first time. The lanes keep the laps up to date.
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
    const cars = lanes.map(({ id }, index) => {
      const { pitVisits = [], earlierLaps } = races[index] ?? {}
      return crossingsOf(id, tables[index]?.laps ?? [], pitVisits, earlierLaps)
    })
    const driven = cars.filter(({ at }) => at.length > 0)
    const lastFirst = Math.max(0, ...driven.map(({ at }) => at[0] ?? 0))
    return gapsOf(driven, raceStartedAt ?? lastFirst)
  }, [lanes, tables, races, raceStartedAt])
}

function dataOf<T>(results: readonly { data: T | undefined }[]) {
  return results.map(({ data }) => data)
}
