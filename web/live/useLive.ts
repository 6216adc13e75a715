import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { Room } from '#contract/live.ts'
import type { RoomListener } from './channel.ts'
import { useChannel } from './LiveProvider.tsx'
import type { LineState } from './line.ts'

/** How the live line is. */
export function useLine(): LineState {
  const channel = useChannel()
  return useSyncExternalStore(
    listener => channel.onLineState(listener),
    () => channel.lineState,
  )
}

/**
 * Hears a room: a snapshot first, and again after each reconnection, then events; or one
 * `refused`. With no room it hears nothing.
 */
export function useRoom(room: Room | null, onEvent: RoomListener) {
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
