import { useEffect, useEffectEvent, useState } from 'react'
import type { LoggedMessage } from '#contract/messages.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { useLiveQueries } from '#web/live/useLiveQueries.ts'
import { laneName } from '#web/message/laneName.ts'
import { resultsOf } from '#web/message/useCarLanes.ts'
import { logQuery } from '#web/message/useLog.ts'
import { loggedEvents } from './carEvents.ts'
import type { CarLane } from './useLanes.ts'
import type { WallLog } from './wallLog.ts'

/**
 * Adds the messages and answers of before the wall was opened, or lost its connection, to its log: from the newest page
 * of the message log of each car's phone.
 */
export function useEarlierEvents(log: WallLog, lanes: readonly CarLane[]) {
  const now = useServerClock()
  const pages = useLiveQueries(
    lanes.map(({ session: { id } }) => ({
      sessionId: id,
      query: logQuery(id),
      // Later ones are added by the car's events.
      outdatedBy: () => false,
    })),
    resultsOf<LoggedMessage[]>,
  )
  /** Pages in the log: putting one again would undo later receipts. */
  const [added] = useState(() => new WeakSet<readonly LoggedMessage[]>())
  const add = useEffectEvent(() => {
    for (const [index, { id, session }] of lanes.entries()) {
      const page = pages[index]?.data
      if (!page || added.has(page)) continue
      added.add(page)
      const { plate } = laneName(session)
      log.put(
        id,
        loggedEvents(page, now()).map(event => ({ ...event, key: `${id} ${event.key}`, plate })),
      )
    }
  })
  useEffect(() => add(), [pages])
}
