import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { ConnectionState } from '#client/channel/connection.ts'
import type { RoomListener } from '#client/channel/subscriptions.ts'
import type { RoomName } from '#contract/live.ts'
import { useChannel } from './LiveProvider.tsx'

export function useConnectionState(): ConnectionState {
  const channel = useChannel()
  return useSyncExternalStore(
    listener => channel.onConnectionState(listener),
    () => channel.connectionState,
  )
}

/**
 * Returns whether the connection has this status. A component that needs no more renders at no other change: at the end of
 * a login, a render between the closed connection and the redirect would find no user.
 */
export function useHasStatus(status: ConnectionState['status']): boolean {
  const channel = useChannel()
  return useSyncExternalStore(
    listener => channel.onConnectionState(listener),
    () => channel.connectionState.status === status,
  )
}

/**
 * Subscribes to a room: a snapshot first and after each reconnection, then events; or one `refused`. Null
 * subscribes to nothing.
 */
export function useRoom(room: RoomName | null, onEvent: RoomListener) {
  const channel = useChannel()
  const onFrame = useEffectEvent(onEvent)
  useEffect(
    () => (room === null ? undefined : channel.subscribe(room, frame => onFrame(frame))),
    [channel, room],
  )
}

/** Returns a function that reads the server's clock in milliseconds since the epoch. */
export function useServerClock(): () => number {
  return useChannel().clock.now
}
