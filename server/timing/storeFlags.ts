import type { Kysely } from 'kysely'
import type { EpochMs, RaceId } from '#contract/ids.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import { type SeenFlag, silentAfterMs, withSeen } from '#racing/timing/flagPeriods.ts'
import { keepNewest } from '../db/keepNewest.ts'
import type { Tables } from '../db/schema/tables.ts'

/**
 * Stores the flags that a source of a race has stated, in order of time. A flag that is known at a time is not replaced.
 * Returns the time from which the flags of the race have changed; null if they have not.
 */
export async function storeFlags(
  trx: Kysely<Tables>,
  raceId: RaceId,
  flags: readonly SeenFlag[],
): Promise<EpochMs | null> {
  let sinceMs: EpochMs | null = null
  for (const flag of flags) {
    const before = await lastBefore(trx, raceId, flag.fromMs)
    const seen = withSeen(before, flag)
    if (!seen) continue
    const seen_at = new Date(seen.seenMs)
    await trx
      .insertInto('official_flags')
      .values({ race_id: raceId, at: new Date(seen.fromMs), seen_at, flag: seen.flag })
      .onConflict(conflict =>
        conflict.columns(['race_id', 'at']).doUpdateSet({ seen_at, flag: seen.flag }),
      )
      .execute()
    const isNew = seen.fromMs !== before?.fromMs
    const { max } = storedBounds.officialFlags
    if (isNew) await keepNewest(trx, 'official_flags', { of: { race_id: raceId }, max })
    const silentMs = before ? silentAfterMs(before) : flag.fromMs
    sinceMs = Math.min(sinceMs ?? silentMs, silentMs, isNew ? flag.fromMs : silentMs)
  }
  return sinceMs
}

async function lastBefore(
  trx: Kysely<Tables>,
  raceId: RaceId,
  atMs: EpochMs,
): Promise<SeenFlag | undefined> {
  const row = await trx
    .selectFrom('official_flags')
    .select(['flag', 'at', 'seen_at'])
    .where('race_id', '=', raceId)
    .where('at', '<=', new Date(atMs))
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { flag: row.flag, fromMs: row.at.getTime(), seenMs: row.seen_at.getTime() }
}
