import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { read } from '#web/api/call.ts'

/** Whether this user is an agent. Refused with `not-found` where there is no desk. */
export const settingsQuery = queryOptions({
  queryKey: ['support.settings'],
  queryFn: ({ signal }) => read('support.settings', {}, { signal }),
})

/** Who is online. Asked every 3 s while somebody looks. */
export const visitorsQuery = queryOptions({
  queryKey: ['support.visitors'],
  queryFn: ({ signal }) => read('support.visitors', {}, { signal }),
  staleTime: 0,
  refetchInterval: 3000,
})

export const testsQuery = queryOptions({
  queryKey: ['support.listTests'],
  queryFn: ({ signal }) => read('support.listTests', {}, { signal }),
})

export function testQuery(testId: number) {
  return queryOptions({
    queryKey: ['support.getTest', testId],
    queryFn: ({ signal }) => read('support.getTest', { testId }, { signal }),
    staleTime: 0,
  })
}

/** Entries of the audit asked for at once. */
const auditPage = 50

export const auditQuery = infiniteQueryOptions({
  queryKey: ['support.audit'],
  queryFn: ({ signal, pageParam }) =>
    read('support.audit', { limit: auditPage, ...pageParam }, { signal }),
  initialPageParam: {} as { before?: number },
  getNextPageParam: entries => {
    const last = entries.at(-1)
    return last && entries.length === auditPage ? { before: last.id } : undefined
  },
  staleTime: 0,
})
