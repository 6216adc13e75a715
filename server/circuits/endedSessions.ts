import type { Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { Tables } from '../db/schema/tables.ts'
import { countPositionsOf, firstPossibleMs } from '../telemetry/positions.ts'
import type { CircuitVersion } from './circuitVersion.ts'

/**
 * Returns the ended sessions that share the line with a session: itself, if it has ended, and those of its race on the
 * same circuit, or only those timed by one version. A session whose positions are not all stored any more is left out: its
 * laps cannot be computed again.
 */
export async function endedSessions(
  trx: Kysely<Tables>,
  sessionId: SessionId,
  { teamId, id }: Pick<CircuitVersion, 'teamId' | 'id'>,
  version: number | null = null,
): Promise<SessionId[]> {
  const sessions = await trx
    .selectFrom('sessions as s')
    .innerJoin('sessions as chosen', join =>
      join
        .onRef('chosen.team_id', '=', 's.team_id')
        .on(({ or, ref, eb }) =>
          or([eb('s.id', '=', ref('chosen.id')), eb('s.race_id', '=', ref('chosen.race_id'))]),
        ),
    )
    .innerJoin('lap_timings as t', 't.session_id', 's.id')
    .select(['s.id', 's.date_started', 's.positions_deleted_at', 't.positions'])
    .where('chosen.id', '=', sessionId)
    .where('s.team_id', '=', teamId)
    .where('s.circuit_id', '=', id)
    .where('s.status', '=', 'Complete')
    .where('s.lap_timing', '=', true)
    .$if(version !== null, query => query.where('s.circuit_version', '=', version))
    .execute()
  const counts = await countPositionsOf(
    trx,
    sessions.map(session => {
      const startMs = firstPossibleMs(session)
      return { sessionId: session.id, startMs, afterMs: startMs }
    }),
  )
  return sessions
    .filter(each => (counts.get(each.id)?.later ?? 0) >= each.positions)
    .map(each => each.id)
}
