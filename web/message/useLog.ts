import {
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import type { LoggedMessage } from '#contract/messages.ts'
import { read } from '#web/api/call.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useLiveSession } from '#web/live/useSession.ts'
import { useCarRace } from '#web/race/useCarRace.ts'
import { withEarlier, withNewest, withReread } from './logPages.ts'

/** Limits how often the log is refetched: each message causes three receipts. */
const refetchIntervalMs = 2000

/**
 * Returns the log of a session: its newest page, refetched after each message and receipt, and the earlier
 * pages that were loaded.
 */
export function useLog(sessionId: string) {
  const client = useQueryClient()
  const channel = useChannel()
  const live = useLiveSession(sessionId, state => state.session)
  const { data: fetched } = useQuery(sessionQuery(sessionId))
  const log = useQuery(logQuery(sessionId))
  const { race } = useCarRace(sessionId)
  const message = live?.message
  useEffect(() => {
    if (!message) return
    const { queryKey } = logQuery(sessionId)
    const { dataUpdatedAt = 0 } = client.getQueryState(queryKey) ?? {}
    const waitMs = Math.max(0, dataUpdatedAt + refetchIntervalMs - Date.now())
    const timer = setTimeout(() => void client.invalidateQueries({ queryKey }), waitMs)
    return () => clearTimeout(timer)
  }, [client, sessionId, message])

  useEffect(
    () =>
      channel.onAccountEvent(event => {
        if (event.t === 'team-changed') void refetchNames(client, sessionId)
      }),
    [channel, client, sessionId],
  )

  const oldest = log.data?.at(-1)?.version ?? 1
  const earlier = useMutation({
    mutationFn: () => read('messages.log', { sessionId, before: oldest }),
    onSuccess: page =>
      client.setQueryData(
        logQuery(sessionId).queryKey,
        loaded => loaded && withEarlier(loaded, page),
      ),
  })
  return {
    session: live ?? fetched ?? null,
    log,
    /** Undefined until it has loaded. */
    race,
    /** Versions start at 1. After a restore they may start higher: an empty page then marks the beginning. */
    hasEarlier: oldest > 1 && earlier.data?.length !== 0,
    earlier,
  }
}

/** Refetches all loaded pages, because a sender may have a new name. */
async function refetchNames(client: QueryClient, sessionId: string) {
  const { queryKey } = logQuery(sessionId)
  const loaded = client.getQueryData(queryKey) ?? []
  const oldest = loaded.at(-1)?.version ?? 0
  const reread: LoggedMessage[] = []
  for (let before = (loaded[0]?.version ?? 0) + 1; before > oldest; ) {
    // If a page fails, it and earlier ones keep the old names until the next change.
    const page = await read('messages.log', { sessionId, before }).catch(() => [])
    for (const message of page) reread.push(message)
    before = page.at(-1)?.version ?? 0
  }
  client.setQueryData(queryKey, current => current && withReread(current, reread))
}

/** Returns the newest messages of a session, plus the earlier pages that `useLog` loaded. */
export function logQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['messages.log', sessionId],
    queryFn: async ({ client, queryKey, signal }) => {
      const newest = await read('messages.log', { sessionId }, { signal })
      return withNewest(client.getQueryData<LoggedMessage[]>(queryKey) ?? [], newest)
    },
  })
}
