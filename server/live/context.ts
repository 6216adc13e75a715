import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { FixUp } from '#contract/live.ts'
import { clockToleranceMs } from '#contract/shared/liveRules.ts'
import type { AppContext } from '../context.ts'
import { FixLimits } from '../telemetry/fixLimits.ts'
import { UserFrameLimits } from './frameLimits.ts'
import type { LiveTrace } from './liveTrace.ts'
import type { Connection } from './publish/connection.ts'
import type { Hub } from './publish/hub.ts'

/** The parts of the app context that connection handlers use. */
type HandlerParts = Pick<
  AppContext,
  'db' | 'commandDb' | 'clock' | 'live' | 'events' | 'recorder' | 'metrics' | 'log'
>

/** Shared by connection handlers: parts of the app context, this node's hub, and the recording of fixes. */
export interface LiveContext extends HandlerParts {
  readonly hub: Hub
  readonly userFrames: UserFrameLimits
  /** Undefined unless somebody is debugging: see `createLiveTrace`. */
  readonly trace: LiveTrace | undefined
  /**
   * Records and publishes a fix, with or without a position. Returns null if it exceeds the rate limit of its
   * session or network.
   */
  recordFix(session: SessionId, fix: FixUp, from: FixSource): RecordedFix | null
  /** Resolves once the bus has confirmed the subscriptions to all rooms joined so far. */
  listening(): Promise<void>
  /** Publishes that a screen of the team showed the driver's test flash, once for all reports of one flash. */
  testSeen(session: SessionId): void
}

/** A recorded fix: its sequence number in the recorder, and when the server received it. */
interface RecordedFix {
  number: number
  contactAt: EpochMs
}

/** The origin of a fix: a connection, which does not receive it back, or an HTTP call. */
interface FixSource {
  connection?: Connection
  /** Undefined if its network is not limited. */
  address: string | undefined
}

/** Reports within this time belong to the same test flash. */
const testFlashWindowMs = 1000

/** The maximum age of a fix by its own timestamp. */
const maxFixAgeMs = 24 * 60 * 60 * 1000

export function createLiveContext(
  context: HandlerParts,
  {
    hub,
    listening,
    fixesPerSecond,
    trace,
  }: {
    hub: Hub
    listening: () => Promise<void>
    fixesPerSecond: number
    trace?: LiveTrace | undefined
  },
): LiveContext {
  const testsSeen = new Set<SessionId>()
  const fixLimits = new FixLimits(fixesPerSecond)
  return {
    ...context,
    hub,
    listening,
    trace,
    userFrames: new UserFrameLimits(),
    recordFix(session, fix, { connection, address }) {
      if (!fixLimits.allows(session, address, context.clock.monotonicMs())) {
        context.metrics.fixOverLimit()
        return null
      }
      const now = context.clock.now()
      // A phone with a wrong clock must not write into the future or another day. Small errors are kept,
      // so that a fix sent twice has the same time and is stored once.
      const isOff = fix.at > now + clockToleranceMs || fix.at < now - maxFixAgeMs
      const at = isOff ? now : fix.at
      const { la, lo, v, ac, h } = fix
      const ar = isOff || fix.ar
      const reading = { at, la, lo, v, ac, ...(h != null && { h }), ...(ar && { ar }) }
      const number = context.recorder.record(session, reading, now)
      const event = { t: 'fix', s: session, c: now, ...reading } as const
      // The phone's own connection does not receive the fix back.
      context.live.publish(`session:${session}`, event, connection)
      return { number, contactAt: now }
    },
    testSeen(session) {
      if (testsSeen.has(session)) return
      testsSeen.add(session)
      context.clock.after(testFlashWindowMs, () => testsSeen.delete(session))
      context.live.publish(`session:${session}`, { t: 'test-seen', session })
    },
  }
}
