import { queryOptions, useQueries, useQueryClient } from '@tanstack/react-query'
import type { LaidPlan } from '#racing/race/carPlan.ts'
import { type OrderedMessage, pitOrders } from '#racing/race/pitOrders.ts'
import { read } from '#web/api/call.ts'
import { useRoom } from '#web/live/useLive.ts'
import { type CarRace, sessionInCar } from '#web/race/shownCarRace.ts'

/** Returns the sender of the PIT that ended each stint, from the newest messages of the phones of the car. */
export function usePitOrders(race: CarRace, laid: LaidPlan | null, nowMs: number) {
  const client = useQueryClient()
  const sessionId = sessionInCar(race)
  useRoom(sessionId === null ? null : `session:${sessionId}`, ({ t }) => {
    if (sessionId !== null && (t === 'message' || t === 'receipt' || t === 'snapshot'))
      void client.invalidateQueries({ queryKey: ordersQuery(sessionId).queryKey })
  })
  const logs = useQueries({
    queries: race.phones.map(({ sessionId }) => ordersQuery(sessionId)),
    combine: results => results.flatMap(({ data }) => (data ? [data] : [])),
  })
  return laid ? pitOrders(race, laid, { logs, nowMs }) : none
}

const none: ReturnType<typeof pitOrders> = new Map()

/** Has its own key, because the message log caches its pages under the key of the call. */
function ordersQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['pit orders', sessionId],
    queryFn: ({ signal }): Promise<readonly OrderedMessage[]> =>
      read('messages.log', { sessionId }, { signal }),
  })
}
