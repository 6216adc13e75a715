import type { Clock } from '#contract/clock.ts'
import { CloseCode } from '#contract/liveRules.ts'
import type { Hub } from './hub.ts'

/** Ten thousand connections that return in one moment would each ask the database for who they are, and for snapshots. */
const linesAtOnce = 200
const everyMs = 100

/** Makes every connection of this node come back, some at a time: each is looked at again and takes snapshots. */
export function forceReconnectAll(hub: Hub, clock: Clock) {
  const connections = hub.connections()
  function next() {
    for (const connection of connections.splice(0, linesAtOnce))
      connection.close(CloseCode.goingAway)
    if (connections.length > 0) clock.after(everyMs, next)
  }
  next()
}
