import {
  hashKey,
  type Query,
  type QueryClient,
  type UseQueryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { Down, RoomName } from '#contract/live.ts'
import { useChannel } from './LiveProvider.tsx'
import { useHasStatus, useRoom } from './useLive.ts'

/** The frame, or the lost connection, that each query was last requested for: components share its request. */
const requestedFor = new WeakMap<Query, object>()
export const lostConnection = {}

export interface LiveQuery<Data> {
  query: UseQueryOptions<Data, Error, Data, string[]> & { queryKey: string[] }
  /** Returns whether an event makes the data outdated. */
  outdatedBy: (event: Down) => boolean
}

interface Options<Data> extends LiveQuery<Data> {
  /** Null requests nothing. */
  room: RoomName | null
}

/**
 * Returns a query that the events of a room keep up to date. It is requested when the room's snapshot has arrived, so
 * that no later event is missed, or without a connection at once; and again after each event that makes it outdated and
 * after each reconnection.
 */
export function useLiveQuery<Data>({ room, query, outdatedBy }: Options<Data>) {
  const client = useQueryClient()
  const cause = useRoomCause(room)
  const { queryKey } = query
  const hash = hashKey(queryKey)
  const refresh = (cause: object) => requestFor(client, queryKey, cause)
  useRoom(room, event => {
    if (outdatedBy(event)) refresh(event)
  })
  const found = useQuery({
    ...query,
    enabled: cause !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const onCause = useEffectEvent(refresh)
  useEffect(() => {
    if (!cause) return
    onCause(cause)
    return () => forgetUnused(client, hash)
  }, [cause, hash, client])
  return found
}

/** Requests a query again for a frame, or for the lost connection, unless it was requested for that. */
export function requestFor(client: QueryClient, queryKey: readonly string[], cause: object) {
  const found = client.getQueryCache().find({ queryKey, exact: true })
  if (!found || requestedFor.get(found) === cause) return
  // Its first request follows by itself.
  const isFirst = !requestedFor.has(found) && found.state.data === undefined
  requestedFor.set(found, cause)
  if (!isFirst) void client.invalidateQueries({ queryKey, exact: true })
}

/** Forgets for what a query was requested: while no component uses it, the events of its room are not followed. */
export function forgetUnused(client: QueryClient, hash: string) {
  const left = client.getQueryCache().get(hash)
  if (left && !left.isActive()) requestedFor.delete(left)
}

/** Returns for what the queries of a room are requested first: its snapshot, or the lost connection; null before. */
export function useRoomCause(room: RoomName | null): object | null {
  const start = useRoomStart(room)
  const isLost = useHasStatus('lost')
  return room === null ? null : (start ?? (isLost ? lostConnection : null))
}

/** Returns the frame with which the subscription to a room began; null before. */
function useRoomStart(room: RoomName | null): Down | null {
  const channel = useChannel()
  const subscribe = useCallback(
    (onChange: () => void) => (room === null ? () => {} : channel.subscribe(room, onChange)),
    [channel, room],
  )
  return useSyncExternalStore(subscribe, () => (room === null ? null : channel.startOf(room)))
}
