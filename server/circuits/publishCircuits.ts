import type { SessionId, TeamId } from '#contract/ids.ts'
import type { Live } from '../live/publish/live.ts'

/** Publishes a change of a team's circuits to the team, and to the sessions whose circuit has another version or name now. */
export function publishCircuits(
  live: Pick<Live, 'publish'>,
  team: TeamId,
  sessions: readonly SessionId[] = [],
) {
  live.publish(`team:${team}`, { t: 'circuits-changed', team })
  for (const session of sessions)
    live.publish(`session:${session}`, { t: 'circuits-changed', team, session })
}
