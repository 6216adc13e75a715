import { queryOf } from './queryOf.ts'

/** The session refresh of the specification: each request extends the login's expiry. */
const refreshIntervalMs = 5 * 60_000

/** The current login, if any. Fetched at start, every 5 minutes and when the browser reconnects. */
export const loginQuery = queryOf(
  'auth.login',
  {},
  {
    staleTime: refreshIntervalMs,
    gcTime: Number.POSITIVE_INFINITY,
    refetchInterval: refreshIntervalMs,
    refetchIntervalInBackground: true,
    refetchOnReconnect: 'always',
  },
)
