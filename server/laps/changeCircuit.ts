import type { Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import { publishCircuits } from '../circuits/publishCircuits.ts'
import { refineCircuit, settleCircuit } from '../circuits/settleCircuit.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { Live } from '../live/publish/live.ts'
import type { SessionTiming, TimedSession } from './sessionTiming.ts'

/**
 * Assigns a session its found circuit, or refines the circuit, and publishes the change. Returns the sessions whose laps
 * must be timed again: none if nothing was found.
 */
export async function changeCircuit(
  { db, live }: { db: Kysely<Tables>; live: Pick<Live, 'publish'> },
  session: TimedSession,
  { found, refined }: Pick<SessionTiming, 'found' | 'refined'>,
): Promise<SessionId[]> {
  const { id, team_id } = session
  if (found) {
    const isSettled = await settleCircuit(db, session, found)
    if (isSettled) publishCircuits(live, team_id, [id])
    return [id]
  }
  const added = refined && (await refineCircuit(db, session, refined))
  if (!added) return []
  publishCircuits(live, team_id, added.sessions)
  return [id, ...added.sessions.filter(other => other !== id)]
}
