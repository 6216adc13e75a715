import { hashKey, type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Down } from '#contract/live.ts'
import { useChannel } from './LiveProvider.tsx'
import { useHasStatus } from './useLive.ts'
import { forgetUnused, type LiveQuery, lostConnection, requestFor } from './useLiveQuery.ts'

interface Followed<Data> extends LiveQuery<Data> {
  readonly sessionId: string
  /** Another session of the list whose events make the data outdated, too. */
  readonly otherId?: string | null | undefined
}

/** Returns queries of several sessions as `combine` makes them, each kept up to date as by `useLiveQuery`. */
export function useLiveQueries<Data, Result>(
  list: readonly Followed<Data>[],
  combine: (results: UseQueryResult<Data>[]) => Result,
): Result {
  const client = useQueryClient()
  const channel = useChannel()
  const isLost = useHasStatus('lost')
  const [starts, setStarts] = useState<ReadonlyMap<string, Down>>(new Map())
  const causeOf = (id: string) => starts.get(id) ?? (isLost ? lostConnection : null)
  const combined = useQueries({
    queries: list.map(({ sessionId, query }) => ({
      ...query,
      enabled: causeOf(sessionId) !== null,
      staleTime: Number.POSITIVE_INFINITY,
    })),
    combine,
  })
  const onEvent = useEffectEvent((id: string, event: Down) => {
    const start = channel.startOf(`session:${id}`)
    if (start && start !== starts.get(id)) setStarts(known => new Map(known).set(id, start))
    for (const { sessionId, otherId, query, outdatedBy } of list)
      if ((id === sessionId || id === otherId) && outdatedBy(event))
        requestFor(client, query.queryKey, event)
  })
  const followed = useRef(new Map<string, () => void>())
  // Those that stay in the list keep their subscription: another one would request them again.
  const follow = useEffectEvent(() => {
    const left = new Map(followed.current)
    for (const { sessionId: id, query } of list) {
      if (left.delete(id)) continue
      const leave = channel.subscribe(`session:${id}`, event => onEvent(id, event))
      followed.current.set(id, () => {
        leave()
        forgetUnused(client, hashKey(query.queryKey))
      })
    }
    for (const [id, leave] of left) {
      followed.current.delete(id)
      leave()
    }
  })
  const request = useEffectEvent(() => {
    for (const { sessionId, query } of list) {
      const cause = causeOf(sessionId)
      if (cause) requestFor(client, query.queryKey, cause)
    }
  })
  const ids = list.map(({ sessionId }) => sessionId).join()
  useEffect(() => follow(), [channel, ids])
  useEffect(() => request(), [client, ids, starts, isLost])
  useEffect(() => {
    const all = followed.current
    return () => {
      for (const leave of all.values()) leave()
      all.clear()
    }
  }, [channel])
  return combined
}
