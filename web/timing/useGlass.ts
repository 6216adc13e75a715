import { type GlassState, glassState } from '#client/driver/glassState.ts'
import type { StoredCarRace } from '#contract/carRaces.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useSecond } from '#web/live/useSecond.ts'
import { useLiveSession } from '#web/live/useSession.ts'

/** Returns the official timing on the glass of a session. Renders every second: it is out of date after five. */
export function useGlass(
  sessionId: string,
  race: Pick<StoredCarRace, 'glass' | 'officialTiming'> | undefined,
): GlassState {
  const { clock } = useChannel()
  useSecond()
  const official = useLiveSession(sessionId, state => state.official)
  // The result stays on the screen until the next second.
  return glassState(official, race, clock.isSynchronized ? clock.now() + 1000 : null)
}
