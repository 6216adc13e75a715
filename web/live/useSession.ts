import { useCallback, useSyncExternalStore } from 'react'
import type { LiveSession } from '#client/session/sessionState.ts'
import { useChannel } from './LiveProvider.tsx'

/**
 * Follows a race session and gives what `select` takes of it. The component renders again only
 * when the selected value changes, so select something plain, or something the state holds.
 */
export function useLiveSession<T>(sessionId: string, select: (session: LiveSession) => T): T {
  const channel = useChannel()
  const follow = useCallback(
    (onChange: () => void) => channel.follow(sessionId, onChange),
    [channel, sessionId],
  )
  return useSyncExternalStore(follow, () => select(channel.session(sessionId)))
}
