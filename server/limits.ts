import { createHmac } from 'node:crypto'
import type { Kysely } from 'kysely'
import { Refusal } from '#contract/refusal.ts'
import { addToCounts, countAgainstLimit } from './db/rates.ts'
import { serverKey } from './db/serverKeys.ts'
import type { Tables } from './db/tables.ts'

export interface Limit {
  /** What is done, such as `invite-by`. */
  what: string
  /** By or to whom: a user's id, an address, a network. */
  of: string
  limit: number
  windowMs: number
}

/** Counts once more what somebody does, across all nodes. Refuses with `too-many` beyond the limit. */
export async function stayWithin(db: Kysely<Tables>, { what, of, limit, windowMs }: Limit) {
  const counted = { what: await counterName(db, what, of), limit, windowMs }
  const { allowed, retryAfterSeconds } = await countAgainstLimit(db, counted)
  if (!allowed) throw new Refusal('too-many', { retryAfterSeconds })
}

/** What all nodes counted of some things in one window, with what this one adds. */
export async function countAllTogether(
  db: Kysely<Tables>,
  {
    what,
    counts,
    window,
  }: {
    what: string
    /** By whom: addresses, users' ids. */
    counts: ReadonlyMap<string, number>
    window: { startedAt: number; windowMs: number }
  },
): Promise<Map<string, number>> {
  const key = await serverKey(db, 'rate-counts')
  const named = [...counts].map(([of, count]) => ({ of, count, what: nameBy(key, what, of) }))
  const all = await addToCounts(db, named, window)
  return new Map(named.map(({ of, what, count }) => [of, all.get(what) ?? count]))
}

/** Addresses of people and networks are keyed hashes here: the table tells nobody who was about. */
export async function counterName(db: Kysely<Tables>, what: string, of: string): Promise<string> {
  return nameBy(await serverKey(db, 'rate-counts'), what, of)
}

function nameBy(key: Buffer, what: string, of: string): string {
  return `${what}:${createHmac('sha256', key).update(of).digest('base64url')}`
}
