import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { RoomListener } from '#client/channel.ts'
import type { ConnectionState } from '#client/connection/connection.ts'
import type { RoomName } from '#contract/live.ts'
import { useChannel } from './LiveProvider.tsx'

/** How the live connection is. */
export function useConnectionState(): ConnectionState {
  const channel = useChannel()
  return useSyncExternalStore(
    listener => channel.onConnectionState(listener),
    () => channel.connectionState,
  )
}

/**
 * Hears a room: a snapshot first, and again after each reconnection, then events; or one
 * `refused`. With no room it hears nothing.
 */
export function useRoom(room: RoomName | null, onEvent: RoomListener) {
  const channel = useChannel()
  const hear = useEffectEvent(onEvent)
  useEffect(
    () => (room === null ? undefined : channel.watch(room, frame => hear(frame))),
    [channel, room],
  )
}

/** The server's clock: call the result for its time in milliseconds since the epoch. */
export function useServerClock(): () => number {
  return useChannel().clock.now
}
