import { queryOptions } from '@tanstack/react-query'
import type { LoggedMessage } from '#contract/messages.ts'
import { read } from '#web/api/call.ts'
import { withNewest } from './logPages.ts'

/** The newest messages of a session, plus the earlier pages that `useLog` loaded. */
export function logQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['messages.log', sessionId],
    queryFn: async ({ client, queryKey, signal }) => {
      const newest = await read('messages.log', { sessionId }, { signal })
      return withNewest(client.getQueryData<LoggedMessage[]>(queryKey) ?? [], newest)
    },
  })
}
