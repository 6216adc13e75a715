import { queryOf } from '#web/api/queryOf.ts'

/** The signed-in user's logins. They change on other devices, so the cache is never used. */
export const loginsQuery = queryOf('auth.logins', {}, { staleTime: 0, gcTime: 0 })
