import { queryOptions } from '@tanstack/react-query'
import { read } from '#web/api/call.ts'

/** Returns what is stored about the race of the car of a session. */
export function carRaceQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['carRaces.ofSession', sessionId],
    queryFn: ({ signal }) => read('carRaces.ofSession', { sessionId }, { signal }),
  })
}
