import type { SessionId, TeamId } from '#contract/ids.ts'
import type { Live } from './live.ts'

/** A change of a race that was counted in the room of a session, in the transaction that stored it. */
export interface CountedRace {
  readonly team: TeamId
  readonly session: SessionId
  readonly revision: number
}

/** Publishes that the result of `carRaces.ofSession` changed for these sessions of a team. Call it after the commit. */
export function publishRace(
  live: Pick<Live, 'publish'>,
  team: TeamId,
  sessions: readonly SessionId[],
) {
  for (const session of sessions)
    live.publish(`session:${session}`, { t: 'race-changed', team, session })
}

/** Does the same for changes that are counted already: counted again, other nodes would miss the first number (R8). */
export function publishCountedRace(live: Pick<Live, 'publish'>, counted: readonly CountedRace[]) {
  for (const { team, session, revision } of counted)
    live.publish(`session:${session}`, { t: 'race-changed', team, session }, undefined, revision)
}
