import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
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
  const race = useQuery({ ...stintsQuery(lanes[0]?.id ?? ''), enabled: lanes.length > 0 }).data
    ?.race
  const raceStartedAt = race?.startedAt ?? null
  const tables = useQueries({
    queries: lanes.map(({ id }) => lapsQuery(id)),
    combine: tablesOf,
  })
  return useMemo(() => {
    const cars = lanes.map(({ id }, index) => ({ id, at: crossingsOf(tables[index]?.laps ?? []) }))
    const driven = cars.filter(({ at }) => at.length > 0)
    const lastFirst = Math.max(0, ...driven.map(({ at }) => at[0] ?? 0))
    return gapsOf(driven, raceStartedAt ?? lastFirst)
  }, [lanes, tables, raceStartedAt])
}

function tablesOf(results: readonly { data: LapTable | undefined }[]) {
  return results.map(({ data }) => data)
}
