import { type Kysely, sql } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { LapTable } from '#contract/laps.ts'
import type { Session } from '#contract/sessions.ts'
import type { AppContext } from '../context.ts'
import { isOneOf } from '../db/isOneOf.ts'
import type { Tables } from '../db/schema/tables.ts'
import { productVersion } from '../productVersion.ts'
import { countPositions, firstPossibleMs } from '../telemetry/positions.ts'
import { timedSessions } from './computeLaps.ts'
import { pageOfLaps } from './storedLaps.ts'

/**
 * Reads a page of the laps of a session, those with a number above `after`. If they miss stored positions, requests to
 * compute them (`pending`): the session is older than lap timing, has just ended, the process was killed before it
 * computed them, or another version stopped.
 */
export async function lapTable(
  { db, laps: keeper }: Pick<AppContext, 'db' | 'laps'>,
  { id, status, lapTiming }: Pick<Session, 'id' | 'status' | 'lapTiming'>,
  after?: number,
): Promise<LapTable> {
  const nothing = { lapTiming, circuit: null, gpsPoor: false, laps: [], pending: false }
  if (!lapTiming) return nothing
  const timing = await db
    .selectFrom('lap_timings')
    .select(['gps_poor', 'positions', 'finished', sql<number>`revision::float8`.as('revision')])
    .select(['stopped', 'stopped_by'])
    .where('session_id', '=', id)
    .executeTakeFirst()
  // The node that stores the positions of an active session computes its laps.
  const isKnown = timing !== undefined && (status === 'Active' || timing.finished)
  const isOpen = !isKnown || status === 'Complete'
  const isStopped = timing?.stopped_by === productVersion
  const isDue = timing !== undefined && timing.stopped_by !== null
  const pending =
    !isStopped &&
    (isDue || (isOpen && (await positionsOf(db, id)) !== (isKnown ? timing.positions : 0)))
  if (pending) keeper.timeMissing(id)
  if (!timing) return { ...nothing, pending }
  // Read after the revision, so that no change is missing: merging a change that they include again is harmless.
  const { laps, next } = await pageOfLaps(db, id, after)
  return {
    lapTiming,
    circuit: await shownCircuit(db, id),
    gpsPoor: timing.gps_poor,
    laps,
    pending,
    revision: timing.revision,
    ...(next !== undefined && { next }),
    ...(isStopped && timing.stopped && { stopped: timing.stopped }),
  }
}

/** Requests the last laps of ended sessions that are not computed yet: see `lapTable`. */
export async function timeEnded(
  { db, laps: keeper }: Pick<AppContext, 'db' | 'laps'>,
  sessionIds: readonly SessionId[],
) {
  if (sessionIds.length === 0) return
  const open = await db
    .selectFrom('lap_timings as t')
    .innerJoin('sessions as s', 's.id', 't.session_id')
    .select('s.id')
    .where(isOneOf('s.id', sessionIds))
    .where('s.lap_timing', '=', true)
    .where('t.finished', '=', false)
    .where('t.stopped_by', 'is', null)
    .execute()
  for (const { id } of open) {
    // The history of positions may be over.
    if ((await positionsOf(db, id)) > 0) keeper.timeMissing(id)
  }
}

async function positionsOf(db: Kysely<Tables>, sessionId: SessionId): Promise<number> {
  const [session] = await timedSessions(db, [sessionId])
  return session ? countPositions(db, { sessionId, startMs: firstPossibleMs(session) }) : 0
}

async function shownCircuit(
  db: Kysely<Tables>,
  sessionId: SessionId,
): Promise<LapTable['circuit']> {
  const row = await db
    .selectFrom('sessions as s')
    .innerJoin('circuit_versions as v', join =>
      join
        .onRef('v.team_id', '=', 's.team_id')
        .onRef('v.circuit_id', '=', 's.circuit_id')
        .onRef('v.version', '=', 's.circuit_version'),
    )
    .innerJoin('circuits as c', join =>
      join.onRef('c.team_id', '=', 's.team_id').onRef('c.id', '=', 's.circuit_id'),
    )
    .select(['c.name', 'v.length_m'])
    .select(eb => eb('v.pit_out', 'is not', null).as('knows_pit_out'))
    .where('s.id', '=', sessionId)
    .executeTakeFirst()
  if (!row) return null
  const knowsPitOut = Boolean(row.knows_pit_out)
  return { name: row.name, lengthM: row.length_m, ...(knowsPitOut && { knowsPitOut }) }
}
