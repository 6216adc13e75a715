import { queryOptions } from '@tanstack/react-query'
import type { LaidPlan } from '#racing/race/carPlan.ts'
import { type OrderedMessage, pitOrders } from '#racing/race/pitOrders.ts'
import { read } from '#web/api/call.ts'
import { useLiveQueries } from '#web/live/useLiveQueries.ts'
import type { LiveQuery } from '#web/live/useLiveQuery.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'

/** Returns the sender of the PIT that ended each stint, from the newest messages of the phones of the car. */
export function usePitOrders(race: CarRace, laid: LaidPlan | null, nowMs: number) {
  const logs = useLiveQueries(
    race.phones.map(({ sessionId }) => ({ sessionId, ...liveOrders(sessionId) })),
    results => results.flatMap(({ data }) => (data ? [data] : [])),
  )
  return laid ? pitOrders(race, laid, { logs, nowMs }) : none
}

const none: ReturnType<typeof pitOrders> = new Map()

function liveOrders(sessionId: string): LiveQuery<readonly OrderedMessage[]> {
  return {
    query: queryOptions({
      // A key of its own, because the message log caches its pages under the key of the call.
      queryKey: ['pit orders', sessionId],
      queryFn: ({ signal }): Promise<readonly OrderedMessage[]> =>
        read('messages.log', { sessionId }, { signal }),
    }),
    outdatedBy: ({ t }) => t === 'message' || t === 'receipt',
  }
}
