import type { Down } from '#contract/live.ts'
import { queryOf } from '#web/api/queryOf.ts'
import { useLiveQuery } from '#web/live/useLiveQuery.ts'

/** Returns the log of official timing on the glass of a session, requested again when it changes. */
export function useGlassLog(sessionId: string) {
  return useLiveQuery({
    room: `session:${sessionId}`,
    query: glassLogQuery(sessionId),
    outdatedBy: isNewOnGlass,
  })
}

/** True if a frame brings a flag or a receipt that is new, or changes the race. */
export function isNewOnGlass(frame: Down): boolean {
  // The first frame of a flag has the line that changed it.
  if (frame.t === 'official') return frame.flag !== null && frame.flag.since === frame.flag.seenAt
  return frame.t === 'flag-shown' || frame.t === 'race-changed'
}

/** The official flags that were sent to the glass of a session, and who changed what it shows. */
const glassLogQuery = (sessionId: string) => queryOf('glass.log', { sessionId })
