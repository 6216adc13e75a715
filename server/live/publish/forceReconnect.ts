import type { Clock } from '#contract/shared/clock.ts'
import { CloseCode } from '#contract/shared/liveRules.ts'
import type { Hub } from './hub.ts'

/** Ten thousand connections that reconnect at once would each query their login and snapshots. */
const batchSize = 200
const batchIntervalMs = 100

/**
 * Closes every connection of this node, in batches. Each client reconnects, is authenticated again and
 * receives new snapshots.
 */
export function forceReconnectAll(hub: Hub, clock: Clock) {
  const connections = hub.connections()
  function next() {
    for (const connection of connections.splice(0, batchSize)) connection.close(CloseCode.goingAway)
    if (connections.length > 0) clock.after(batchIntervalMs, next)
  }
  next()
}
