import { queryOptions } from '@tanstack/react-query'
import { read } from '#web/api/call.ts'
import { forgottenAfterMs } from '#web/race/carRaceQuery.ts'

/** Returns the race of a car, also before a session has joined it. Without a car, of sessions without one. */
export function raceOfCarQuery(raceId: string, carId: string | null) {
  return queryOptions({
    queryKey: ['carRaces.ofRace', raceId, carId ?? ''],
    gcTime: forgottenAfterMs,
    queryFn: ({ signal }) =>
      read('carRaces.ofRace', { raceId, ...(carId !== null && { carId }) }, { signal }),
  })
}
