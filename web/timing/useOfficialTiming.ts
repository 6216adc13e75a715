import { useQuery } from '@tanstack/react-query'
import type { OfficialTiming } from '#contract/timing.ts'
import type { CarRace } from '#web/race/carRace.ts'
import { isConnected, useAged } from './aged.ts'
import { timingQuery } from './timingQuery.ts'

/** The official timing of a race as it was answered last. */
export interface OfficialState {
  readonly run: OfficialTiming['run']
  /** False while the source is not connected or silent, or this server does not answer: nothing of it is current. */
  readonly isCurrent: boolean
}

/** Returns the official timing of the race of a car; null if it has no source, and before the first answer. */
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
