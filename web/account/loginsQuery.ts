import { queryOptions } from '@tanstack/react-query'
import { read } from '#web/api/call.ts'

/** The signed-in user's logins. They change on other devices, so the cache is never used. */
export const loginsQuery = queryOptions({
  queryKey: ['auth.logins'],
  queryFn: ({ signal }) => read('auth.logins', {}, { signal }),
  staleTime: 0,
  gcTime: 0,
})
