import type { SessionId } from '#contract/ids.ts'
import type { FixUp } from '#contract/live.ts'
import { clockToleranceMs } from '#contract/liveRules.ts'
import type { Parts } from '../parts.ts'
import type { Hub } from './hub.ts'

/** What conversations share: the parts of the server, this node's hub, and what a fix sets off. */
export interface Floor extends Pick<Parts, 'db' | 'live' | 'recorder' | 'log'> {
  readonly hub: Hub
  /** The driver's phone was heard, with or without a position. */
  contact(session: SessionId, fix: FixUp): void
}

/** How far a fix's own time may lie in the past. */
const oldestFixMs = 24 * 60 * 60 * 1000

export function createFloor(
  parts: Pick<Parts, 'db' | 'live' | 'recorder' | 'log'>,
  hub: Hub,
): Floor {
  return {
    ...parts,
    hub,
    contact(session, fix) {
      const now = Date.now()
      // A phone whose clock estimate is off must not write into the future or another day. If it is off by
      // little the time stays: the phone may send the same fix once more, and that must not make two.
      const isOff = fix.at > now + clockToleranceMs || fix.at < now - oldestFixMs
      const at = isOff ? now : fix.at
      parts.recorder.record(session, { ...fix, at }, now)
      parts.live.publish(`session:${session}`, {
        t: 'fix',
        s: session,
        c: now,
        at,
        la: fix.la,
        lo: fix.lo,
        v: fix.v,
        ac: fix.ac,
      })
    },
  }
}
