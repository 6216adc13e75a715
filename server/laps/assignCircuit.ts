import type { Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import { publishCircuits } from '../circuits/publishCircuits.ts'
import { refineCircuit, settleCircuit } from '../circuits/settleCircuit.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { Live } from '../live/publish/live.ts'
import type { SessionTiming, TimedSession } from './sessionTiming.ts'

/**
 * Assigns a session its found circuit, or refines the circuit, and publishes the change. Returns the sessions whose laps
 * must be timed again: none if nothing was found. The circuit is also that of the other phones of its race.
 */
export async function assignCircuit(
  { db, live }: { db: Kysely<Tables>; live: Pick<Live, 'publish'> },
  session: TimedSession,
  { found, refined }: Pick<SessionTiming, 'found' | 'refined'>,
): Promise<SessionId[]> {
  const { id, team_id } = session
  if (found) {
    const isSettled = await settleCircuit(db, session, found)
    if (isSettled) publishCircuits(live, team_id, [id])
    return [id, ...(isSettled ? await withoutCircuit(db, id) : [])]
  }
  const added = refined && (await refineCircuit(db, session, refined))
  if (!added) return []
  publishCircuits(live, team_id, added.sessions)
  return [id, ...added.sessions.filter(other => other !== id)]
}

/** Returns the sessions of the race of a session whose circuit is not known, such as short ones that have ended. */
async function withoutCircuit(db: Kysely<Tables>, sessionId: SessionId): Promise<SessionId[]> {
  const rows = await db
    .selectFrom('sessions as session')
    .innerJoin('sessions as other', 'other.race_id', 'session.race_id')
    .select('other.id')
    .where('session.id', '=', sessionId)
    .where('other.circuit_id', 'is', null)
    .where('other.lap_timing', '=', true)
    .orderBy('other.id')
    .execute()
  return rows.map(({ id }) => id)
}
