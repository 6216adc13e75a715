import type { SessionId } from '#contract/ids.ts'
import type { FixUp } from '#contract/live.ts'
import type { Parts } from '../parts.ts'
import type { Hub } from './hub.ts'

/** What conversations share: the parts of the server, this node's hub, and what a fix sets off. */
export interface Floor extends Pick<Parts, 'db' | 'live' | 'recorder' | 'log'> {
  readonly hub: Hub
  /** The driver's phone was heard, with or without a position. */
  contact(session: SessionId, fix: FixUp): void
  /** A screen of the team showed the driver's test flash: told once, however many say so. */
  testSeen(session: SessionId): void
}

/** Within this time all that is said of a test flash is said of the same one. */
const sameTestMs = 1000

/** How far a fix's own time may lie in the past. */
const oldestFixMs = 24 * 60 * 60 * 1000

export function createFloor(
  parts: Pick<Parts, 'db' | 'live' | 'recorder' | 'log'>,
  hub: Hub,
): Floor {
  const testsSeen = new Set<SessionId>()
  return {
    ...parts,
    hub,
    contact(session, fix) {
      const now = Date.now()
      // A phone whose clock estimate is off must not write into the future or another day.
      const at = fix.at > now || fix.at < now - oldestFixMs ? now : fix.at
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
    testSeen(session) {
      if (testsSeen.has(session)) return
      testsSeen.add(session)
      setTimeout(() => testsSeen.delete(session), sameTestMs).unref()
      parts.live.publish(`session:${session}`, { t: 'test-seen', session })
    },
  }
}
