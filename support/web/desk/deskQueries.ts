import { queryOf } from '#web/api/queryOf.ts'

/** The visitors online. Polled every 3 s while shown. */
export const visitorsQuery = queryOf(
  'support.visitors',
  {},
  { staleTime: 0, refetchInterval: 3000 },
)

export const testsQuery = queryOf('support.listTests', {})

export const testQuery = (testId: number) =>
  queryOf('support.getTest', { testId }, { staleTime: 0 })

/** Page size of the audit log. */
export const auditPage = 50

/** The newest audit entries, or those before the entry `before`. */
export const auditQuery = (before: number | undefined) =>
  queryOf('support.audit', { limit: auditPage, before }, { staleTime: 0 })
