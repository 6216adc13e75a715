import { queryOptions } from '@tanstack/react-query'
import { read } from './call.ts'

/** The session refresh of the specification: asking slides the login's expiry forward. */
const loginEveryMs = 5 * 60_000

/** Who is signed in, if anyone. Asked at start, every 5 minutes and when the browser is back online. */
export const loginQuery = queryOptions({
  queryKey: ['auth.login'],
  queryFn: ({ signal }) => read('auth.login', {}, { signal }),
  staleTime: loginEveryMs,
  gcTime: Number.POSITIVE_INFINITY,
  refetchInterval: loginEveryMs,
  refetchIntervalInBackground: true,
  refetchOnReconnect: 'always',
})
