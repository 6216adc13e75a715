import { isDeepStrictEqual } from 'node:util'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { PitVisit } from '#contract/pitVisits.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import { epochMs } from '../db/epochMs.ts'
import { prepared } from '../db/prepared.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { SessionTiming } from './sessionTiming.ts'

/** Reads the visits of a session to the pits, in order of time. */
export async function storedVisits(db: Kysely<Tables>, sessionId: SessionId): Promise<PitVisit[]> {
  const { rows } = await sql<{ visits: PitVisit[] }>`
    ${prepared} select ${visitsAsJson(sql`${sessionId}::uuid`)} as visits`.execute(db)
  return rows[0]?.visits ?? []
}

/** Selects the stored visits of a session to the pits, in order of time, as SQL. Beyond the bound only the newest count. */
export function visitsAsJson(sessionId: RawBuilder<unknown>): RawBuilder<PitVisit[]> {
  return sql`(
    select coalesce(json_agg(json_build_object(
      'startedAt', ${epochMs(sql`started_at`)}, 'endedAt', ${epochMs(sql`ended_at`)},
      'stoppedAt', ${epochMs(sql`stopped_at`)}, 'leftAt', ${epochMs(sql`left_at`)}
    ) order by started_at), '[]')
    from (
      select * from pit_visits where session_id = ${sessionId}
      order by started_at desc limit ${sql.lit(storedBounds.pitVisits.max)}
    ) newest
  )`
}

/** A visit that was found (`before` is undefined), corrected, or removed (`after` is undefined). */
export interface VisitChange {
  before: PitVisit | undefined
  after: PitVisit | undefined
}

/**
 * Returns the visits that change when those of a timing are stored. Visits from before the oldest stored position stay:
 * their positions were deleted.
 */
export function visitChanges(
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
