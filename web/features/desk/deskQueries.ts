import { queryOptions } from '@tanstack/react-query'
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

/** Entries of the audit that are asked for at once. */
export const auditPage = 50

/** The newest entries, or those before one. */
export function auditQuery(before: number | undefined) {
  return queryOptions({
    queryKey: ['support.audit', before],
    queryFn: ({ signal }) => read('support.audit', { limit: auditPage, before }, { signal }),
    staleTime: 0,
  })
}
