import { queryOf } from '#web/api/queryOf.ts'
import { useLiveQuery } from '#web/live/useLiveQuery.ts'

/** Returns when and by whom the data link of a session was switched, requested again when the session changes. */
export function useDataLinkLog(sessionId: string) {
  return useLiveQuery({
    room: `session:${sessionId}`,
    query: queryOf('sessions.dataLinkLog', { sessionId }),
    outdatedBy: ({ t }) => t === 'session-changed',
  })
}
