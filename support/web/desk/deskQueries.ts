import { queryOptions } from '@tanstack/react-query'
import { read } from '#web/api/call.ts'

/** The visitors online. Polled every 3 s while shown. */
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

/** Page size of the audit log. */
export const auditPage = 50

/** The newest audit entries, or those before the entry `before`. */
export function auditQuery(before: number | undefined) {
  return queryOptions({
    queryKey: ['support.audit', before],
    queryFn: ({ signal }) => read('support.audit', { limit: auditPage, before }, { signal }),
    staleTime: 0,
  })
}
