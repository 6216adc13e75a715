import type { SessionId } from '#contract/ids.ts'
import type { FixUp } from '#contract/live.ts'
import { clockToleranceMs } from '#contract/liveRules.ts'
import type { AppContext } from '../context.ts'
import { FixLimits } from './fixLimits.ts'
import { UserFrameLimits } from './frameLimits.ts'
import type { Connection, Hub } from './hub.ts'

/** What conversations share: the parts of the server, this node's hub, and what a fix sets off. */
export interface LiveContext
  extends Pick<AppContext, 'db' | 'commandDb' | 'clock' | 'live' | 'recorder' | 'metrics' | 'log'> {
  readonly hub: Hub
  readonly userFrames: UserFrameLimits
  /**
   * Records and publishes a fix, with or without a position. Answers its number, or null if it is one too many
   * for its session or network.
   */
  recordFix(session: SessionId, fix: FixUp, from: FixSource): number | null
  /** Resolves once this node hears of every room that its connections have joined so far. */
  listening(): Promise<void>
  /** A screen of the team showed the driver's test flash: told once, however many say so. */
  testSeen(session: SessionId): void
}

/** Where a fix came from: a connection, which does not receive it back, or a call. */
interface FixSource {
  connection?: Connection
  /** None if its network is not limited. */
  address: string | undefined
}

/** Within this time all that is said of a test flash is said of the same one. */
const sameTestMs = 1000

/** How far a fix's own time may lie in the past. */
const oldestFixMs = 24 * 60 * 60 * 1000

export function createLiveContext(
  context: Pick<AppContext, 'db' | 'commandDb' | 'clock' | 'live' | 'recorder' | 'metrics' | 'log'>,
  {
    hub,
    listening,
    fixesPerSecond,
  }: { hub: Hub; listening: () => Promise<void>; fixesPerSecond: number },
): LiveContext {
  const testsSeen = new Set<SessionId>()
  const fixLimits = new FixLimits(fixesPerSecond)
  return {
    ...context,
    hub,
    listening,
    userFrames: new UserFrameLimits(),
    recordFix(session, fix, { connection, address }) {
      if (!fixLimits.allows(session, address, context.clock.monotonicMs())) return null
      const now = context.clock.now()
      // A phone whose clock estimate is off must not write into the future or another day. If it is off by
      // little the time stays: the phone may send the same fix once more, and that must not make two.
      const isOff = fix.at > now + clockToleranceMs || fix.at < now - oldestFixMs
      const at = isOff ? now : fix.at
      const { la, lo, v, ac } = fix
      const number = context.recorder.record(session, { at, la, lo, v, ac }, now)
      const event = { t: 'fix', s: session, c: now, at, la, lo, v, ac } as const
      // The phone knows where it is: its own connection need not hear it back.
      context.live.publish(`session:${session}`, event, connection)
      return number
    },
    testSeen(session) {
      if (testsSeen.has(session)) return
      testsSeen.add(session)
      context.clock.after(sameTestMs, () => testsSeen.delete(session))
      context.live.publish(`session:${session}`, { t: 'test-seen', session })
    },
  }
}
