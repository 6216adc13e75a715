import type { Clock } from '#contract/shared/clock.ts'
import type { Channel } from './channel.ts'

/** The parts of a channel that show whether the server can be reached. */
export type OpenChannel = Pick<Channel, 'connectionState' | 'onConnectionState' | 'isDataLinkOff'>

/**
 * Calls `run` now, whenever the connection opens and at an interval, but only while the connection is open and the data
 * link is on. Returns functions that call it once more under the same condition, and that stop it.
 */
export function runWhileOpen(
  channel: OpenChannel,
  { clock, everyMs, run }: { clock: Clock; everyMs: number; run: () => unknown },
): { readonly wake: () => void; readonly stop: () => void } {
  const wake = () => {
    if (channel.connectionState.status === 'open' && !channel.isDataLinkOff) run()
  }
  const undo = [channel.onConnectionState(wake), clock.every(everyMs, wake)]
  wake()
  return { wake, stop: () => undo.forEach(each => each()) }
}
