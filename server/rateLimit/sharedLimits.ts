import { createHmac } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { EpochMs } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { dayMs } from '#contract/shared/durations.ts'
import type { Tables } from '../db/schema/tables.ts'
import { serverKey } from '../db/serverKeys.ts'
import type { Limit } from './rateLimits.ts'

/*
 * Rate limits that all nodes on one database count together, and that survive a restart: for mails and for guesses of
 * codes. Windows are fixed and at most a day long: across a boundary twice the limit may pass.
 */

const longestWindowMs = dayMs

interface Counting {
  db: Kysely<Tables>
  clock: Clock
}

/** Counts an action. Refuses with `too-many` beyond the limit. */
export async function enforceSharedLimit(context: Counting, limit: Limit) {
  const retryAfterSeconds = await count(context, limit)
  if (retryAfterSeconds > 0) throw new Refusal('too-many', { retryAfterSeconds })
}

/** Counts like `enforceSharedLimit`, but returns whether the limit allows the action. */
export async function isWithinSharedLimit(context: Counting, limit: Limit): Promise<boolean> {
  return (await count(context, limit)) === 0
}

/** Counts an action. Returns the seconds until the next window, or 0 if the limit allows the action. */
async function count({ db, clock }: Counting, limit: Limit): Promise<number> {
  const { windowMs } = limit
  if (!(windowMs > 0 && windowMs <= longestWindowMs))
    throw new RangeError(`A window of ${windowMs} ms is not between 0 and ${longestWindowMs}`)
  const now = clock.now()
  const startedAt = now - (now % windowMs)
  const { rows } = await sql<{ count: number }>`
    insert into rate_counts (what, window_start, count)
    values (${await nameOf(db, limit)}, ${new Date(startedAt)}::timestamptz, 1)
    on conflict (what, window_start) do update set count = rate_counts.count + 1
    returning count`.execute(db)
  const row = rows[0]
  if (!row) throw new Error('The database did not return its count.')
  return row.count <= limit.limit ? 0 : Math.max(1, Math.ceil((startedAt + windowMs - now) / 1000))
}

/** Reverts one count in the current window: the action was counted, but did not happen, or is not limited after all. */
export async function revertCount(db: Kysely<Tables>, limit: Limit) {
  const name = await nameOf(db, limit)
  await sql`
    update rate_counts set count = count - 1
    where what = ${name}
      and count > 0
      and window_start = (select max(window_start) from rate_counts where what = ${name})
  `.execute(db)
}

/** Different windows of one action have separate counts. */
async function nameOf(db: Kysely<Tables>, { what, key, windowMs }: Limit): Promise<string> {
  return `${await counterName(db, what, key)} per ${windowMs} ms`
}

/** A name with a keyed hash of an e-mail address or a network, so that the table reveals nobody's visits. */
export async function counterName(db: Kysely<Tables>, what: string, key: string): Promise<string> {
  const secret = await serverKey(db, 'rate-counts')
  return `${what}:${createHmac('sha256', secret).update(key).digest('base64url')}`
}

/** Deletes counts whose window has certainly ended. Called periodically. */
export async function deleteOldCounts(db: Kysely<Tables>, now: EpochMs): Promise<void> {
  await db
    .deleteFrom('rate_counts')
    .where('window_start', '<', new Date(now - longestWindowMs))
    .execute()
}
