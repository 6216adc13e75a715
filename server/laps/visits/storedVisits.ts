import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { PitVisit } from '#contract/races/pitVisits.ts'
import type { Tables } from '../../db/schema/tables.ts'
import type { SessionTiming } from '../sessionTiming.ts'

/** Reads the visits of a session to the pits, in order of time. */
export async function storedVisits(db: Kysely<Tables>, sessionId: SessionId): Promise<PitVisit[]> {
  const rows = await db
    .selectFrom('pit_visits')
    .selectAll()
    .where('session_id', '=', sessionId)
    .orderBy('started_at')
    .execute()
  return rows.map(row => ({
    startedAt: row.started_at.getTime(),
    endedAt: row.ended_at?.getTime() ?? null,
    stoppedAt: row.stopped_at?.getTime() ?? null,
    leftAt: row.left_at?.getTime() ?? null,
  }))
}

/** A visit that was found (`before` is undefined), corrected, or removed (`after` is undefined). */
export interface VisitChange {
  before: PitVisit | undefined
  after: PitVisit | undefined
}

/**
 * Stores the visits of a session under the lock of its laps, and returns those that changed. Visits from before the
 * oldest stored position stay: their positions were deleted.
 */
export async function storeVisits(
  trx: Kysely<Tables>,
  { sessionId, firstMs, pitVisits }: SessionTiming,
): Promise<VisitChange[]> {
  const stored = await storedVisits(trx, sessionId)
  const kept = stored
    .filter(({ startedAt }) => startedAt < (firstMs ?? Number.POSITIVE_INFINITY))
    // Its end can be found no more, and only the newest visit may be open.
    .map(visit => ({ ...visit, endedAt: visit.endedAt ?? firstMs }))
  const wanted = [...kept, ...pitVisits]
  const starts = [...new Set([...stored, ...wanted].map(({ startedAt }) => startedAt))]
  const changes = starts
    .sort((a, b) => a - b)
    .map(startedAt => ({
      before: stored.find(each => each.startedAt === startedAt),
      after: wanted.find(each => each.startedAt === startedAt),
    }))
    .filter(({ before, after }) => !isDeepStrictEqual(before, after))
  await replaceVisits(trx, sessionId, changes)
  return changes
}

async function replaceVisits(
  trx: Kysely<Tables>,
  sessionId: SessionId,
  changes: readonly VisitChange[],
) {
  const before = changes.flatMap(change => (change.before ? [change.before.startedAt] : []))
  if (before.length > 0)
    await trx
      .deleteFrom('pit_visits')
      .where('session_id', '=', sessionId)
      .where(
        'started_at',
        'in',
        before.map(at => new Date(at)),
      )
      .execute()
  const after = changes.flatMap(change => (change.after ? [change.after] : []))
  if (after.length === 0) return
  await trx
    .insertInto('pit_visits')
    .values(
      after.map(({ startedAt, endedAt, stoppedAt, leftAt }) => ({
        session_id: sessionId,
        started_at: new Date(startedAt),
        ended_at: dateOf(endedAt),
        stopped_at: dateOf(stoppedAt),
        left_at: dateOf(leftAt),
      })),
    )
    .execute()
}

function dateOf(at: number | null): Date | null {
  return at === null ? null : new Date(at)
}
