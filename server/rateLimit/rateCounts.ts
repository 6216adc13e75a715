import { type Kysely, sql } from 'kysely'
import type { EpochMs } from '#contract/ids.ts'
import type { Tables } from '../db/schema/tables.ts'

const longestWindowMs = 86_400_000

export interface RateLimit {
  /** The counted thing, such as `send-code 203.0.113.7`. */
  what: string
  /** Maximum count in one window. */
  limit: number
  /** How much this attempt counts; 1 by default. */
  cost?: number | undefined
  /** At most a day. Fixed windows: across a boundary twice the limit may pass. */
  windowMs: number
}

export interface RateResult {
  allowed: boolean
  /** Time until the next window; 0 if allowed. */
  retryAfterSeconds: number
}

/** Ends the name of a count: different windows on the same thing have separate counts. */
export function windowSuffix(windowMs: number): string {
  return ` per ${windowMs} ms`
}

/** Counts one attempt and checks it against the limit. All nodes on one database count together. */
export async function countAgainstLimit(
  db: Kysely<Tables>,
  rate: RateLimit,
  now: EpochMs,
): Promise<RateResult> {
  const { what, limit, windowMs, cost = 1 } = rate
  if (!(windowMs > 0 && windowMs <= longestWindowMs))
    throw new RangeError(`A window of ${windowMs} ms is not between 0 and ${longestWindowMs}`)
  const counted = what + windowSuffix(windowMs)
  const startedAt = now - (now % windowMs)
  const { rows } = await sql<{ count: number }>`
    insert into rate_counts (what, window_start, count)
    values (${counted}, ${new Date(startedAt)}::timestamptz, ${cost}::integer)
    on conflict (what, window_start) do update set count = rate_counts.count + excluded.count
    returning count`.execute(db)
  const row = rows[0]
  if (!row) throw new Error('The database did not return its count.')
  if (row.count <= limit) return { allowed: true, retryAfterSeconds: 0 }
  return {
    allowed: false,
    retryAfterSeconds: Math.max(1, Math.ceil((startedAt + windowMs - now) / 1000)),
  }
}

/** Adds to several counts of one window at once, and returns the new totals. */
export async function addToCounts(
  db: Kysely<Tables>,
  added: readonly { what: string; count: number }[],
  { startedAt, windowMs }: { startedAt: number; windowMs: number },
): Promise<Map<string, number>> {
  const suffix = windowSuffix(windowMs)
  const { rows } = await sql<{ what: string; count: number }>`
    insert into rate_counts (what, window_start, count)
    select what || ${suffix}::text, to_timestamp(${startedAt / 1000}::double precision), count
    from unnest(
      ${added.map(({ what }) => what)}::text[], ${added.map(({ count }) => count)}::integer[]
    ) as a (what, count)
    -- A fixed order avoids deadlocks between nodes that add to the same counts.
    order by what
    on conflict (what, window_start) do update set count = rate_counts.count + excluded.count
    returning what, count`.execute(db)
  return new Map(rows.map(({ what, count }) => [what.slice(0, -suffix.length), count]))
}

/** Deletes counts whose window has certainly ended. Called periodically. */
export async function deleteOldCounts(db: Kysely<Tables>, now: EpochMs): Promise<void> {
  await db
    .deleteFrom('rate_counts')
    .where('window_start', '<', new Date(now - longestWindowMs))
    .execute()
}
