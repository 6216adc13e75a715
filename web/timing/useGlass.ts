import type { StoredCarRace } from '#contract/carRace.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useSecond } from '#web/live/useSecond.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { type GlassState, glassState } from './glassState.ts'

/** Returns what the glass of a session shows of official timing. Renders every second: it is out of date after five. */
export function useGlass(
  sessionId: string,
  race: Pick<StoredCarRace, 'glass' | 'officialTiming'> | undefined,
): GlassState {
  const { clock } = useChannel()
  useSecond()
  const official = useLiveSession(sessionId, state => state.official)
  return glassState(official, race, clock.isSynchronized ? clock.now() : null)
}
