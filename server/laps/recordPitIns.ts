import type { SessionId } from '#contract/ids.ts'
import type { EventRecorder } from '../context.ts'
import type { VisitChange } from './storedVisits.ts'

/**
 * Records new visits to the pits. Skips visits that were recorded before and now have a corrected start, and visits
 * found in late positions, because they have already ended.
 */
export function recordPitIns(
  events: EventRecorder | undefined,
  sessionId: SessionId,
  visits: readonly VisitChange[],
) {
  if (visits.some(({ before }) => before?.endedAt === null)) return
  for (const { before, after } of visits)
    if (!before && after?.endedAt === null)
      events?.record({
        sessionId,
        kind: 'pit-in',
        occurrence: after.startedAt,
        at: after.startedAt,
      })
}
