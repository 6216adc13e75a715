import { useLiveQuery } from '#web/live/useLiveQuery.ts'
import { stintsQuery } from '#web/race/useStints.ts'

/** Returns the race of one car, requested again when it changes. It is not stored: a wall needs the network. */
export function useLaneRace(sessionId: string) {
  return useLiveQuery({
    room: `session:${sessionId}`,
    query: stintsQuery(sessionId),
    outdatedBy: ({ t }) => t === 'race-changed',
  }).data
}
