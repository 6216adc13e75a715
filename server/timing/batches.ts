import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { EpochMs, RaceId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { maxTimingLetters, timingKeptDays } from '#contract/shared/timingRules.ts'
import type { TimingSource } from '#contract/timing.ts'
import type { Tables } from '../db/schema/tables.ts'

/** Sets the source of a race; another one than before begins anew, without what was received. */
export async function storeSource(
  trx: Kysely<Tables>,
  raceId: RaceId,
  source: TimingSource | null,
): Promise<void> {
  const before = await trx
    .selectFrom('race_timings')
    .select('source')
    .where('race_id', '=', raceId)
    .forUpdate()
    .executeTakeFirst()
  if (before && source && isSame(before.source, source)) return
  await trx.deleteFrom('race_timings').where('race_id', '=', raceId).execute()
  if (source === null) return
  await trx
    .insertInto('race_timings')
    .values({ race_id: raceId, id: randomUUID(), source: JSON.stringify(source) })
    .execute()
}

function isSame(a: TimingSource, b: TimingSource): boolean {
  if (a.kind !== 'rmonitor' || b.kind !== 'rmonitor') return a.kind === b.kind
  return a.host === b.host && a.port === b.port
}

interface Batch {
  /** Null: the next one. */
  number: number | null
  lines: readonly string[]
  receivedAt: EpochMs
}

/**
 * Adds lines to a feed of official timing, unless its newest batch has this number or a higher one. Returns the number of
 * the newest one, and null for a feed that there is not. Refuses with `timing-full`.
 */
export async function addBatch(
  db: Kysely<Tables>,
  feedId: string,
  { number, lines, receivedAt }: Batch,
): Promise<number | null> {
  // A text of the database has no NUL.
  const text = lines.join('\n').replaceAll('\0', '')
  return db.transaction().execute(async trx => {
    const feed = await trx
      .selectFrom('race_timings')
      .select(['newest', 'letters'])
      .where('id', '=', feedId)
      .forUpdate()
      .executeTakeFirst()
    if (!feed) return null
    const next = number ?? feed.newest + 1
    if (next <= feed.newest) return feed.newest
    const letters = feed.letters + text.length
    if (letters > maxTimingLetters) throw new Refusal('invalid-input', { detail: 'timing-full' })
    await trx
      .updateTable('race_timings')
      .set({ newest: next, letters })
      .where('id', '=', feedId)
      .execute()
    await trx
      .insertInto('timing_batches')
      .values({ feed_id: feedId, number: next, received_at: new Date(receivedAt), lines: text })
      .execute()
    return next
  })
}

/** Deletes the official timing of races that received nothing for `timingKeptDays`: it is about other teams. */
export async function deleteOldTiming(db: Kysely<Tables>, now: EpochMs) {
  const before = new Date(now - timingKeptDays * 24 * 60 * 60 * 1000)
  await db.deleteFrom('timing_batches').where('received_at', '<', before).execute()
}
