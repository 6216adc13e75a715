import { useCallback, useSyncExternalStore } from 'react'
import type { LiveSession } from '#client/channel/sessionState.ts'
import { useChannel } from './LiveProvider.tsx'

/**
 * Follows a race session and returns the selected value. The component renders again only when that value
 * changes, so select a primitive, or an object held by the state.
 */
export function useLiveSession<T>(sessionId: string, select: (session: LiveSession) => T): T {
  const channel = useChannel()
  const follow = useCallback(
    (onChange: () => void) => channel.follow(sessionId, onChange),
    [channel, sessionId],
  )
  return useSyncExternalStore(follow, () => select(channel.session(sessionId)))
}
