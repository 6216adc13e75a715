import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { LapsChange, LapTable } from '#contract/laps.ts'
import { read } from '#web/api/call.ts'
import { type LiveQuery, useLiveQuery } from '#web/live/useLiveQuery.ts'
import { forgottenAfterMs } from './carRaceQuery.ts'
import { withChange } from './withChange.ts'

/**
 * Returns the laps of a session, if one is given. Published changes are merged into them. All laps are requested again
 * after a change without its content, after a missed change, after the first change that another version of the circuit
 * causes, after each reconnection, and when the session ends.
 */
export function useLaps(sessionId: string | null) {
  const client = useQueryClient()
  return useLiveQuery({
    room: sessionId === null ? null : `session:${sessionId}`,
    ...liveLaps(client, sessionId ?? ''),
  })
}

/** The laps of a session, and what follows from an event of its room. */
export function liveLaps(client: QueryClient, sessionId: string): LiveQuery<LapTable> {
  const query = lapsQuery(sessionId)
  return {
    query,
    outdatedBy: event => {
      // The laps are computed again for another version of the circuit, and published by an event of their own.
      if (event.t === 'circuits-changed')
        void client.invalidateQueries({ queryKey: query.queryKey, refetchType: 'none' })
      return (
        event.t === 'session-ended' ||
        (event.t === 'laps-changed' && !mergeChange(client, event.session, event.change))
      )
    },
  }
}

/** Merges a change into the known laps. Returns false if they must be requested. */
function mergeChange(client: QueryClient, sessionId: string, change: LapsChange | undefined) {
  const { queryKey } = lapsQuery(sessionId)
  const { data, fetchStatus, isInvalidated } = client.getQueryState(queryKey) ?? {}
  // A pending response would replace the merged laps, perhaps by older ones.
  if (!change || !data || fetchStatus !== 'idle' || isInvalidated) return false
  const changed = withChange(data, change)
  if (changed && changed !== data) client.setQueryData(queryKey, changed)
  return changed !== null
}

export function lapsQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['laps.list', sessionId],
    gcTime: forgottenAfterMs,
    queryFn: ({ signal }) => allLaps(sessionId, signal),
  })
}

/**
 * Requests all pages. With the revision of the first one, because later pages may include a later change: merging it
 * again is harmless.
 */
async function allLaps(sessionId: string, signal: AbortSignal): Promise<LapTable> {
  const { next, ...table } = await read('laps.list', { sessionId }, { signal })
  const laps = [...table.laps]
  for (let after = next; after !== undefined; ) {
    const page = await read('laps.list', { sessionId, after }, { signal })
    for (const lap of page.laps) laps.push(lap)
    after = page.next
  }
  return { ...table, laps }
}
