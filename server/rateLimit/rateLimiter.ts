import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '#contract/shared/clock.ts'
import { TokenBucket } from './tokenBucket.ts'

/** A rate limit of a key: the bucket's capacity, and its refill per minute. */
export interface Allowance {
  /** The limited action and its client, such as `calls login …`. */
  key: string
  perMinute: number
}

/**
 * Adds this node's counts of a window to the shared ones. Resolves with the totals of all nodes, by the
 * same keys.
 */
export type CountTogether = (
  counts: ReadonlyMap<string, number>,
  window: { startedAt: number; windowMs: number },
) => Promise<ReadonlyMap<string, number>>

interface Settings {
  clock: Clock
  log: FastifyBaseLogger
  /** Shares the counts with the other nodes, if there are any. */
  countTogether?: CountTogether | undefined
  /** Maximum number of keys; beyond it the least recently used is evicted. */
  maxKeys?: number | undefined
}

interface Entry {
  bucket: TokenBucket
  perMinute: number
  /** Start of the window of the counts below. */
  windowStartedAt: number
  /** Consumed on this node in this window. */
  own: number
  /** Consumed on this node, not yet shared with the other nodes. */
  unshared: number
  /** Total of all nodes when the counts were last shared. */
  shared: number
}

const windowMs = 60_000
const shareEveryMs = 1000
/** Share of its allowance above which a key is shared: ordinary use needs no database query. */
const sharedFrom = 1 / 4

/** Token buckets by key, in memory. Nodes share their counts every second. */
export class RateLimiter {
  readonly #clock: Clock
  readonly #log: FastifyBaseLogger
  readonly #countTogether: CountTogether | undefined
  readonly #maxKeys: number
  /** In order of use, most recent last. */
  readonly #entries = new Map<string, Entry>()
  #isSharing = false

  constructor({ clock, log, countTogether, maxKeys = 20_000 }: Settings) {
    this.#clock = clock
    this.#log = log
    this.#countTogether = countTogether
    this.#maxKeys = maxKeys
  }

  /**
   * Takes a token from each bucket until one is empty. Returns the seconds until that one has a token,
   * otherwise 0.
   */
  consume(allowances: readonly Allowance[]): number {
    const now = this.#clock.monotonicMs()
    for (const allowance of allowances) {
      const entry = this.#entryOf(allowance, now)
      if (!entry.bucket.tryConsume(now)) return Math.max(1, entry.bucket.retryAfterSeconds(now))
      entry.own += 1
      entry.unshared += 1
      if (this.#isShared(entry)) this.#shareSoon()
    }
    return 0
  }

  #entryOf({ key, perMinute }: Allowance, now: number): Entry {
    const windowStartedAt = this.#windowStartedAt()
    const known = this.#entries.get(key)
    const entry = known ?? {
      bucket: new TokenBucket({ capacity: perMinute, refillPerSecond: perMinute / 60 }, now),
      perMinute,
      windowStartedAt,
      own: 0,
      unshared: 0,
      shared: 0,
    }
    if (entry.windowStartedAt !== windowStartedAt)
      Object.assign(entry, { windowStartedAt, own: 0, unshared: 0, shared: 0 })
    if (known) this.#entries.delete(key)
    this.#entries.set(key, entry)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#maxKeys && oldest !== undefined) this.#entries.delete(oldest)
    return entry
  }

  /** Windows start at the same time on every node, as far as the nodes' clocks agree. */
  #windowStartedAt(): number {
    const now = this.#clock.now()
    return now - (now % windowMs)
  }

  #isShared({ own, perMinute }: Entry): boolean {
    return own > perMinute * sharedFrom
  }

  #shareSoon() {
    const countTogether = this.#countTogether
    if (this.#isSharing || !countTogether) return
    // Only one request at a time, so that responses cannot arrive out of order.
    this.#isSharing = true
    this.#clock.after(shareEveryMs, () => {
      void this.#share(countTogether).finally(() => {
        this.#isSharing = false
      })
    })
  }

  async #share(countTogether: CountTogether) {
    const startedAt = this.#windowStartedAt()
    const sent = new Map<string, { entry: Entry; count: number }>()
    for (const [key, entry] of this.#entries) {
      if (entry.windowStartedAt !== startedAt || entry.unshared === 0) continue
      if (!this.#isShared(entry)) continue
      sent.set(key, { entry, count: entry.unshared })
      entry.unshared = 0
    }
    if (sent.size === 0) return
    const counts = new Map([...sent].map(([key, { count }]) => [key, count]))
    try {
      const totals = await countTogether(counts, { startedAt, windowMs })
      for (const [key, { entry, count }] of sent) {
        if (entry.windowStartedAt === startedAt) this.#mergeTotal(entry, count, totals.get(key))
      }
    } catch (error) {
      // The local limit still applies, and the next second retries.
      for (const { entry, count } of sent.values()) entry.unshared += count
      this.#log.warn({ err: error }, 'failed to share rate limits with other nodes')
    }
  }

  #mergeTotal(entry: Entry, sent: number, total = entry.shared + sent) {
    const elsewhere = total - entry.shared - sent
    entry.shared = total
    if (elsewhere > 0) entry.bucket.drain(this.#clock.monotonicMs(), elsewhere)
  }
}
