import { type Kysely, sql } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import { settleCircuit } from '../circuits/settleCircuit.ts'
import { isOneOf } from '../db/isOneOf.ts'
import { prepared } from '../db/prepared.ts'
import type { Tables } from '../db/schema/tables.ts'
import { productVersion } from '../productVersion.ts'
import { nextPositions } from '../telemetry/positions.ts'
import type { ResultChanges } from './changedResult.ts'
import type { SessionTiming, TimedSession } from './sessionTiming.ts'
import { startTiming } from './startTimings.ts'
import { storeLaps } from './storeLaps.ts'
import { turns } from './turns.ts'

/** Positions read at once: it takes about as long as storing a second of 1,000 cars. */
const positionsPerPage = 1000

/**
 * Reads and times the new positions of some sessions: all, or the first `most` (and up to a page more). Returns whether
 * all were timed.
 */
export async function timeNewPositions(
  db: Kysely<Tables>,
  timings: readonly SessionTiming[],
  most = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const limit = Math.min(positionsPerPage, most)
  let read = 0
  const turn = turns()
  const bySession = new Map(timings.map(timing => [timing.sessionId, timing]))
  for (let open = [...timings]; open.length > 0; ) {
    const page = await nextPositions(db, open, limit)
    const again = new Set<SessionTiming>()
    for (const position of page) {
      await turn()
      const timing = bySession.get(position.sessionId)
      if (timing && !again.has(timing) && !timing.add(position)) again.add(timing)
    }
    read += page.length
    // A full page may hide further positions of any session.
    open = page.length < limit ? [...again] : open
    if (open.length > 0 && read >= most) return false
  }
  return true
}

/** Reads the sessions whose laps are timed. */
export function timedSessions(
  db: Kysely<Tables>,
  ids: readonly SessionId[],
): Promise<TimedSession[]> {
  return timed(db, ids).modifyEnd(prepared).execute()
}

/** A session whose laps are kept up to date. */
export interface RunningSession extends TimedSession {
  /** True if another active session is of the same car in the same race. */
  shares_car: boolean
}

/** Reads the sessions whose laps are timed, without those whose timing this version of the product stopped. */
export function runningSessions(
  db: Kysely<Tables>,
  ids: readonly SessionId[],
): Promise<RunningSession[]> {
  return timed(db, ids)
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('sessions as other')
          .select('other.id')
          .whereRef('other.team_id', '=', 'sessions.team_id')
          .whereRef('other.car_id', '=', 'sessions.car_id')
          .whereRef('other.race_id', '=', 'sessions.race_id')
          .whereRef('other.id', '<>', 'sessions.id')
          .where('other.status', '=', 'Active'),
      )
        .$castTo<boolean>()
        .as('shares_car'),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('lap_timings')
            .select('session_id')
            .whereRef('session_id', '=', 'sessions.id')
            .where('stopped_by', '=', productVersion),
        ),
      ),
    )
    .modifyEnd(prepared)
    .execute()
}

function timed(db: Kysely<Tables>, ids: readonly SessionId[]) {
  return db
    .selectFrom('sessions')
    .select(['id', 'team_id', 'status', 'date_started', 'positions_deleted_at'])
    .select(['circuit_id', 'circuit_version', 'recorded_line'])
    .select(
      sql<string | null>`case when circuit_id is null and race_id is not null then (
        select other.circuit_id from sessions other
        where other.race_id = sessions.race_id and other.circuit_id is not null
        order by other.date_started, other.id
        limit 1
      ) end`.as('race_circuit_id'),
    )
    .where(isOneOf('id', ids))
    .where('lap_timing', '=', true)
}

/** How often positions may be stored or deleted during the computation. */
const tries = 5

/**
 * Computes the laps of a session from the start, stores them, and returns the changes. Returns null if the session does
 * not exist, its laps are not timed, or its positions kept changing.
 */
export async function recomputeLaps(
  db: Kysely<Tables>,
  sessionId: SessionId,
): Promise<ResultChanges | null> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const [session] = await timedSessions(db, [sessionId])
    if (!session) return null
    const timing = await startTiming(db, session)
    await timeNewPositions(db, [timing])
    if (session.status === 'Complete') await timing.endSearch()
    if (timing.found) {
      await settleCircuit(db, session, timing.found)
      continue
    }
    if (session.status === 'Complete') timing.finish()
    const changes = await storeLaps(db, timing)
    if (changes) return changes
  }
  return null
}
