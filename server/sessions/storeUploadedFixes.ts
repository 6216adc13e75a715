import { type Kysely, sql } from 'kysely'
import type { EpochMs, SessionId, UserId } from '#contract/ids.ts'
import type { Fix } from '#contract/positions.ts'
import { Refusal } from '#contract/refusal.ts'
import { leastOf } from '#contract/shared/extremes.ts'
import { broughtToRaceMs } from '#contract/shared/raceRules.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { requireDriver } from '../rights/requireSession.ts'
import { storeBufferedFixes } from '../telemetry/bufferedFixes.ts'

/**
 * Stores fixes that the phone of a session buffered. If the start of a race has ended the session, later fixes belong to
 * the one in which its phone goes on. Refuses all but its driver, and an active session without a data link.
 */
export async function storeUploadedFixes(
  { db, clock, laps, config }: Pick<AppContext, 'db' | 'clock' | 'laps' | 'config'>,
  userId: UserId,
  { sessionId, fixes }: { sessionId: SessionId; fixes: readonly Fix[] },
): ReturnType<typeof storeBufferedFixes> {
  const { status, dataLink } = await requireDriver(db, sessionId, userId)
  // After the end, positions of other times may follow.
  if (status === 'Active' && !dataLink) throw new Refusal('data-link-off')
  const next = status === 'Active' ? undefined : await continuedIn(db, sessionId)
  const endedAt = next?.date_ended?.getTime() ?? Number.POSITIVE_INFINITY
  const parts: { id: SessionId; fixes: readonly Fix[] }[] = [
    { id: sessionId, fixes: fixes.filter(({ at }) => at <= endedAt) },
    ...(next ? [{ id: next.id, fixes: fixes.filter(({ at }) => at > endedAt) }] : []),
  ]
  const all: Awaited<ReturnType<typeof storeBufferedFixes>> = { stored: 0, refused: [] }
  const { historyDays } = config
  for (const { id, fixes } of parts.filter(part => part.fixes.length > 0)) {
    const now: EpochMs = clock.now()
    const result = await storeBufferedFixes(db, { sessionId: id, fixes, historyDays, now })
    if (result.stored > 0) laps.update(id, leastOf(fixes.map(({ at }) => at)))
    all.stored += result.stored
    for (const each of result.refused) all.refused.push(each)
  }
  return all
}

/** Reads the session in which the phone of an ended one goes on, and the end of that one; undefined without one. */
function continuedIn(db: Kysely<Tables>, sessionId: SessionId) {
  return db
    .selectFrom('sessions as old')
    .innerJoin('sessions as next', join =>
      join
        .onRef('next.team_id', '=', 'old.team_id')
        .onRef('next.user_id', '=', 'old.user_id')
        .on(
          sql`next.date_started`,
          '=',
          sql`old.date_ended - ${broughtToRaceMs / 1000} * interval '1 second'`,
        ),
    )
    .select(['next.id', 'old.date_ended'])
    .where('old.id', '=', sessionId)
    .executeTakeFirst()
}
