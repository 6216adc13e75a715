import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { LoggedMessage } from '#contract/messages.ts'
import type { PositionPage } from '#contract/positions.ts'
import type { ReplayFix } from '#contract/shared/positionColumns.ts'
import { fromColumns } from '#contract/shared/positionColumns.ts'
import { pages } from '#contract/shared/storedBounds.ts'
import { read } from '#web/api/call.ts'
import { sessionQuery } from '#web/api/queries.ts'
import type { ShownLap } from '#web/laps/shownLap.ts'
import { useCarLaps } from '#web/laps/useCarLaps.ts'
import { useRoom } from '#web/live/useLive.ts'
import { useLaps } from '#web/race/useLaps.ts'

/** A session that is driven gets new positions this often. */
const refetchMs = 5000

/** Maximum number of pages of the log that are read: 3,000 messages. */
const maxLogPages = 30

/** Returns everything that a replay needs, except for the positions themselves. */
export function useReplayData(sessionId: string) {
  const client = useQueryClient()
  const session = useQuery(sessionQuery(sessionId))
  const isActive = session.data?.status === 'Active'
  const span = useQuery({ ...spanQuery(sessionId), refetchInterval: isActive ? refetchMs : false })
  const laps = useLaps(sessionId)
  const messages = useQuery(messagesQuery(sessionId))
  const race = useCarLaps(sessionId)
  // Each message causes three receipts: they are read together.
  const due = useRef<ReturnType<typeof setTimeout> | null>(null)
  useRoom(`session:${sessionId}`, ({ t }) => {
    const refetch = (queryKey: readonly unknown[]) => void client.invalidateQueries({ queryKey })
    // Deleted positions change laps too.
    if (t === 'laps-changed' || t === 'snapshot') refetch(spanQuery(sessionId).queryKey)
    if (t === 'session-ended') refetch(sessionQuery(sessionId).queryKey)
    if (t !== 'message' && t !== 'receipt' && t !== 'answer') return
    due.current ??= setTimeout(() => {
      due.current = null
      refetch(messagesQuery(sessionId).queryKey)
    }, refetchMs)
  })
  useEffect(() => () => clearTimeout(due.current ?? undefined), [])
  // Positions that their driver deleted must not stay in this browser.
  const first = span.data === undefined ? undefined : (span.data?.first ?? null)
  useEffect(() => {
    if (first === undefined) return
    client.removeQueries({
      queryKey: ['positions.list', sessionId],
      predicate: ({ queryKey: [, , startedAt] }) =>
        typeof startedAt === 'number' && startedAt < (first ?? Number.POSITIVE_INFINITY),
    })
  }, [client, sessionId, first])
  return { session, span, laps, messages, race }
}

/** Reads all positions of a range, page by page. */
export async function readPositions(
  sessionId: string,
  { from, until }: { from: number; until: number },
  signal?: AbortSignal,
): Promise<ReplayFix[]> {
  const all: ReplayFix[] = []
  for (let next: number | null = from; next !== null; ) {
    const page: PositionPage = await read(
      'positions.list',
      { sessionId, from: next, until },
      { signal },
    )
    for (const fix of fromColumns(page)) all.push(fix)
    next = page.next
  }
  return all
}

/** Returns the positions of one lap; null loads nothing. */
export function useLapPositions(sessionId: string, lap: ShownLap | null) {
  return useQuery({
    queryKey: ['positions.list', sessionId, lap?.startedAt, lap?.timeMs],
    queryFn: ({ signal }) => {
      const { startedAt = 0, timeMs = 0 } = lap ?? {}
      return readPositions(sessionId, { from: startedAt, until: startedAt + timeMs }, signal)
    },
    enabled: lap !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

function spanQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['positions.list', sessionId],
    // No position is that old: only the span is requested.
    queryFn: async ({ signal }) =>
      (await read('positions.list', { sessionId, until: 0 }, { signal })).span,
  })
}

function messagesQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['replay-messages', sessionId],
    queryFn: async ({ signal }) => {
      const all: LoggedMessage[] = []
      let before: number | undefined
      for (let count = 0; count < maxLogPages && before !== 0; count++) {
        const page = await read(
          'messages.log',
          { sessionId, ...(before !== undefined && { before }) },
          { signal },
        )
        for (const message of page) all.push(message)
        // What the driver reported before the first message has version 0.
        before = page.length < pages.messages ? 0 : page.at(-1)?.version
      }
      return all
    },
  })
}
