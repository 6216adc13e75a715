import type { SessionId, TeamId } from '#contract/ids.ts'
import type { Live } from './live.ts'

/** Publishes that the result of `carRaces.ofSession` changed for these sessions of a team. Call it after the commit. */
export function publishRace(
  live: Pick<Live, 'publish'>,
  team: TeamId,
  sessions: readonly SessionId[],
) {
  for (const session of sessions)
    live.publish(`session:${session}`, { t: 'race-changed', team, session })
}
