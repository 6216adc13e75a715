import { useQueryClient } from '@tanstack/react-query'
import type { LapTable } from '#contract/laps.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { useRoom } from '#web/live/useLive.ts'
import { carRaceQuery } from './carRaceQuery.ts'
import { type CarRace, sessionInCar } from './shownCarRace.ts'
import { useLaps } from './useLaps.ts'
import { type Kept, useStoredCarRace } from './useStoredCarRace.ts'

export interface KnownCarRace {
  /** Undefined until it has loaded. */
  readonly race: CarRace | undefined
  /** Laps of the phone in the car, or of the session while none is; undefined until they have loaded. */
  readonly table: LapTable | undefined
  readonly error: Error | null
  readonly isFetching: boolean
  readonly refetch: () => unknown
}

/**
 * Returns the race of the car of a session, if one is given, with the laps of the phone in the car as they are published.
 * It is requested again when it changes, after each reconnection, and when the session ends.
 */
export function useCarRace(sessionId: string | null, kept: Kept = {}): KnownCarRace {
  const { data: stored, error, isFetching, refetch } = useStoredCarRace(sessionId, kept)
  const client = useQueryClient()
  const liveId = (stored && sessionInCar(stored)) ?? sessionId
  // Another phone may be in the car.
  useRoom(liveId === null || liveId === sessionId ? null : `session:${liveId}`, ({ t }) => {
    if (t === 'race-changed' && sessionId !== null)
      void client.invalidateQueries({ queryKey: carRaceQuery(sessionId).queryKey })
  })
  const { data: table } = useLaps(liveId)
  const live = liveId !== null && table ? { sessionId: liveId, laps: table.laps } : undefined
  const race = stored && carRaceOf(stored, live)
  return { race, table, error, isFetching, refetch }
}
