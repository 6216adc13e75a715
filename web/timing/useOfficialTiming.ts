import { useQuery } from '@tanstack/react-query'
import type { OfficialTiming } from '#contract/timing.ts'
import type { CarRace } from '#web/race/carRace.ts'
import { isConnected, useAged } from './aged.ts'
import { timingQuery } from './timingQuery.ts'

/** The official timing of a race, from the newest response. */
export interface OfficialState {
  readonly run: OfficialTiming['run']
  /** False while the source is not connected or is silent, or the newest request failed. */
  readonly isCurrent: boolean
}

/** Returns the official timing of the race of a car; null without a source, and before the first response. */
export function useOfficialTiming(race: CarRace | undefined): OfficialState | null {
  const raceId = race?.officialTiming ? race.race?.id : undefined
  const { data, dataUpdatedAt, isError } = useQuery({
    ...timingQuery(raceId ?? ''),
    enabled: raceId !== undefined,
  })
  const timing = useAged(data, dataUpdatedAt)
  if (raceId === undefined || !timing) return null
  return { run: timing.run, isCurrent: !isError && isConnected(timing) }
}
