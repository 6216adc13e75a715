import { connect } from 'node:net'
import type { TimingFailure } from '#contract/shared/timingRules.ts'
import {
  newConnection,
  type OpenSource,
  type SourceContext,
  type SourceEvents,
} from './openSource.ts'

/** Timeout of a connection attempt. */
const connectTimeoutMs = 5000

/** Idle timeout of a connection, which is then replaced: RMonitor sends a line a second. */
const idleTimeoutMs = 30_000

/** Connects to a server of RMonitor. Returns null if its address is not allowed. */
export function openRMonitor(
  { lookupOf }: SourceContext,
  { host, port }: { host: string; port: number },
  events: SourceEvents,
): OpenSource | null {
  const lookup = lookupOf(host, port)
  if (lookup === null) return null
  let failure: TimingFailure = 'unreachable'
  const socket = connect({ host, port, lookup })
  socket.setTimeout(connectTimeoutMs, () => socket.destroy())
  socket.once('connect', () => {
    failure = 'closed'
    socket.setTimeout(idleTimeoutMs)
    events.connected()
  })
  socket.once('data', () => events.data(newConnection))
  socket.on('data', data => events.data(data))
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') failure = 'refused'
  })
  socket.once('close', () => events.closed(failure))
  return {
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    close: () => void socket.destroy(),
  }
}
