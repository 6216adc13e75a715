import type { LiveSession } from '#client/channel/sessionState.ts'
import { isDriverOnline, onlineRecheckIntervalMs } from '#contract/shared/liveRules.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { useServerNow } from '#web/race/useServerNow.ts'
import type { WatchedSession } from './useWatchedSession.ts'

export interface Contact {
  /** False without a data link, and after the session. */
  readonly online: boolean
  /** Time since the phone's last contact; null if there was none. */
  readonly ageMs: number | null
}

/** Whether the driver is online: checks the last contact on each event and every 2.5 s. */
export function useContact(
  sessionId: string,
  { session, ended, linkOff }: Pick<WatchedSession, 'session' | 'ended' | 'linkOff'>,
): Contact {
  const now = useServerNow(onlineRecheckIntervalMs)
  const liveAt = useLiveSession(sessionId, (state: LiveSession) => state.lastContactAt)
  const lastAt = liveAt ?? session?.lastDriverContactAt ?? null
  const ageMs = lastAt === null ? null : Math.max(0, now - lastAt)
  return { online: isDriverOnline(lastAt, now) && !ended && !linkOff, ageMs }
}
