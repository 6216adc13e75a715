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
