import type { EpochMs, SessionId, TeamId } from '#contract/ids.ts'
import type { RoomName } from '#contract/live.ts'
import type { AppContext } from '../context.ts'
import { UserFrameLimits } from './frameLimits.ts'
import type { ConnectionTrace } from './liveTrace.ts'
import type { Hub } from './publish/hub.ts'

/** The parts of the app context that connection handlers use. */
type HandlerParts = Pick<
  AppContext,
  | 'db'
  | 'commandDb'
  | 'readDb'
  | 'clock'
  | 'live'
  | 'events'
  | 'recorder'
  | 'recordFix'
  | 'metrics'
  | 'log'
>

/** Shared by connection handlers: parts of the app context, and this node's hub. */
export interface LiveContext extends HandlerParts {
  readonly hub: Hub
  readonly userFrames: UserFrameLimits
  /** Undefined unless somebody is debugging: see `connectionTracer`. */
  readonly trace: (() => ConnectionTrace) | undefined
  /** The sessions of a team whose phone is silent, with the time of its last contact. */
  silentIn(team: TeamId): Record<SessionId, EpochMs>
  /** Resolves once notices of other nodes about a room arrive, and a lost one would be noticed. */
  listening(room: RoomName): Promise<void>
  /** Publishes that a screen of the team showed the driver's test flash, once for all reports of one flash. */
  testSeen(session: SessionId): void
}

/** Reports within this time belong to the same test flash. */
const testFlashWindowMs = 1000

export function createLiveContext(
  context: HandlerParts,
  {
    hub,
    silentIn,
    listening,
    trace,
  }: {
    hub: Hub
    silentIn: LiveContext['silentIn']
    listening: (room: RoomName) => Promise<void>
    trace?: LiveContext['trace']
  },
): LiveContext {
  const testsSeen = new Set<SessionId>()
  return {
    ...context,
    hub,
    silentIn,
    listening,
    trace,
    userFrames: new UserFrameLimits(),
    testSeen(session) {
      if (testsSeen.has(session)) return
      testsSeen.add(session)
      context.clock.after(testFlashWindowMs, () => testsSeen.delete(session))
      context.live.publish(`session:${session}`, { t: 'test-seen', session })
    },
  }
}
