import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { PitVisit } from '#contract/races/pitVisits.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { groupBy } from '../../db/statements/groupBy.ts'
import { isOneOf } from '../../db/statements/isOneOf.ts'
import { prepared } from '../../db/statements/prepared.ts'
import { column } from '../../telemetry/storeFixes.ts'
import type { SessionTiming } from '../sessionTiming.ts'

/** Reads the visits of a session to the pits, in order of time. */
export async function storedVisits(db: Kysely<Tables>, sessionId: SessionId): Promise<PitVisit[]> {
  return (await storedVisitsOf(db, [sessionId])).get(sessionId) ?? []
}

async function storedVisitsOf(
  db: Kysely<Tables>,
  sessionIds: readonly SessionId[],
): Promise<Map<SessionId, PitVisit[]>> {
  const rows = await db
    .selectFrom('pit_visits')
    .select(['session_id', 'started_at', 'ended_at', 'stopped_at', 'left_at'])
    .where(isOneOf('session_id', sessionIds))
    .orderBy('session_id')
    .orderBy('started_at')
    .modifyEnd(prepared)
    .execute()
  return groupBy(
    rows,
    row => row.session_id,
    row => ({
      startedAt: row.started_at.getTime(),
      endedAt: row.ended_at?.getTime() ?? null,
      stoppedAt: row.stopped_at?.getTime() ?? null,
      leftAt: row.left_at?.getTime() ?? null,
    }),
  )
}

/** A visit that was found (`before` is undefined), corrected, or removed (`after` is undefined). */
export interface VisitChange {
  before: PitVisit | undefined
  after: PitVisit | undefined
}

/**
 * Stores the visits of sessions under the lock of their laps, and returns the changed ones. Visits from before the
 * oldest stored position stay: their positions were deleted.
 */
export async function storeVisits(
  trx: Kysely<Tables>,
  timings: readonly SessionTiming[],
): Promise<Map<SessionId, VisitChange[]>> {
  const ids = timings.map(({ sessionId }) => sessionId)
  const stored = await storedVisitsOf(trx, ids)
  const changes = new Map(
    timings.map(timing => {
      const { sessionId } = timing
      return [sessionId, changesOf(stored.get(sessionId) ?? [], timing)]
    }),
  )
  await replaceVisits(trx, changes)
  return changes
}

function changesOf(
  stored: readonly PitVisit[],
  { firstMs, pitVisits }: SessionTiming,
): VisitChange[] {
  const kept = stored
    .filter(({ startedAt }) => startedAt < (firstMs ?? Number.POSITIVE_INFINITY))
    // Its end cannot be found any more, and only the newest visit may be open.
    .map(visit => ({ ...visit, endedAt: visit.endedAt ?? firstMs }))
  const wanted = [...kept, ...pitVisits]
  const starts = [...new Set([...stored, ...wanted].map(({ startedAt }) => startedAt))]
  return starts
    .sort((a, b) => a - b)
    .map(startedAt => ({
      before: stored.find(each => each.startedAt === startedAt),
      after: wanted.find(each => each.startedAt === startedAt),
    }))
    .filter(({ before, after }) => !isDeepStrictEqual(before, after))
}

async function replaceVisits(
  trx: Kysely<Tables>,
  changes: ReadonlyMap<SessionId, readonly VisitChange[]>,
) {
  const changed = [...changes].flatMap(([sessionId, visits]) =>
    visits.map(visit => ({ sessionId, ...visit })),
  )
  const gone = changed.flatMap(({ sessionId, before }) =>
    before ? [{ sessionId, startedAt: before.startedAt }] : [],
  )
  if (gone.length > 0)
    await sql`${prepared}
      delete from pit_visits v
      using unnest(
        ${column(gone, each => each.sessionId)}::uuid[],
        ${column(gone, each => each.startedAt)}::bigint[]
      ) as gone (session_id, started_ms)
      where v.session_id = gone.session_id
        and v.started_at = to_timestamp(gone.started_ms::float8 / 1000)`.execute(trx)
  const added = changed.flatMap(({ sessionId, after }) => (after ? [{ sessionId, ...after }] : []))
  if (added.length > 0)
    await sql`${prepared}
      insert into pit_visits (session_id, started_at, ended_at, stopped_at, left_at)
      select session_id, to_timestamp(started_ms::float8 / 1000), to_timestamp(ended_ms::float8 / 1000),
        to_timestamp(stopped_ms::float8 / 1000), to_timestamp(left_ms::float8 / 1000)
      from unnest(
        ${column(added, each => each.sessionId)}::uuid[],
        ${column(added, each => each.startedAt)}::bigint[],
        ${column(added, each => each.endedAt)}::bigint[],
        ${column(added, each => each.stoppedAt)}::bigint[],
        ${column(added, each => each.leftAt)}::bigint[]
      ) as a (session_id, started_ms, ended_ms, stopped_ms, left_ms)`.execute(trx)
}
