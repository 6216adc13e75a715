import type { Session } from '#contract/sessions.ts'
import { practiceQuery } from '#web/api/teamQueries.ts'
import { useLiveQuery } from '#web/live/useLiveQuery.ts'

/** Returns the practice car of a team; null without one, and while it is loaded. */
export function usePracticeCar(teamId: string): Session | null {
  const { data = null } = useLiveQuery({
    room: `team:${teamId}`,
    query: practiceQuery(teamId),
    outdatedBy: ({ t }) => t === 'race-changed',
  })
  return data
}
