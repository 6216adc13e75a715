import { createHmac } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { Refusal } from '#contract/refusal.ts'
import type { Clock } from '#contract/shared/clock.ts'
import type { Tables } from '../db/schema/tables.ts'
import { serverKey } from '../db/serverKeys.ts'
import { addToCounts, countAgainstLimit, windowSuffix } from './rateCounts.ts'

export interface Limit {
  /** Name of the limited action, such as `invite-by`. */
  what: string
  /** Key of the limit: a user's id, an e-mail address or a network. */
  key: string
  limit: number
  windowMs: number
  /** Weight of this request; 1 by default. */
  cost?: number | undefined
}

interface Counting {
  db: Kysely<Tables>
  clock: Clock
}

/** Enforces a rate limit across all nodes. Refuses with `too-many` beyond it. */
export async function enforceRateLimit(context: Counting, limit: Limit) {
  const { allowed, retryAfterSeconds } = await count(context, limit)
  if (!allowed) throw new Refusal('too-many', { retryAfterSeconds })
}

/**
 * Counts like `enforceRateLimit`, but returns whether the limit allows the action, for callers that skip
 * it.
 */
export async function isWithinRateLimit(context: Counting, limit: Limit): Promise<boolean> {
  return (await count(context, limit)).allowed
}

async function count({ db, clock }: Counting, { what, key, ...limit }: Limit) {
  return countAgainstLimit(db, { what: await counterName(db, what, key), ...limit }, clock.now())
}

/**
 * Reverts one count, or one of this cost, in the current window of a limit: the action was counted, but did not happen,
 * or is not limited after all.
 */
export async function revertCount(
  db: Kysely<Tables>,
  { what, key, windowMs, cost = 1 }: Omit<Limit, 'limit'>,
) {
  const name = (await counterName(db, what, key)) + windowSuffix(windowMs)
  await sql`
    update rate_counts set count = greatest(0, count - ${cost}::integer)
    where what = ${name}
      and count > 0
      and window_start = (select max(window_start) from rate_counts where what = ${name})
  `.execute(db)
}

/** Adds this node's counts of one window to the shared ones, and returns the totals of all nodes. */
export async function shareCounts(
  db: Kysely<Tables>,
  {
    what,
    counts,
    window,
  }: {
    what: string
    /** Counts by key: networks or users' ids. */
    counts: ReadonlyMap<string, number>
    window: { startedAt: number; windowMs: number }
  },
): Promise<Map<string, number>> {
  const secret = await serverKey(db, 'rate-counts')
  const named = [...counts].map(([key, count]) => ({ key, count, what: nameBy(secret, what, key) }))
  const all = await addToCounts(db, named, window)
  return new Map(named.map(({ key, what, count }) => [key, all.get(what) ?? count]))
}

/**
 * The name of a counter. E-mail addresses and networks are keyed hashes, so that the table reveals
 * nobody's visits.
 */
export async function counterName(db: Kysely<Tables>, what: string, key: string): Promise<string> {
  return nameBy(await serverKey(db, 'rate-counts'), what, key)
}

function nameBy(secret: Buffer, what: string, key: string): string {
  return `${what}:${createHmac('sha256', secret).update(key).digest('base64url')}`
}
