import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '#contract/clock.ts'
import { TokenBucket } from './tokenBucket.ts'

/** How much something may be done by somebody: at most so often at once, and so often a minute. */
export interface Allowance {
  /** What and by whom, such as `calls login …`. */
  key: string
  perMinute: number
}

/** Adds what this node consumed in a window to what all nodes did, and answers the totals, by the same keys. */
export type CountTogether = (
  counts: ReadonlyMap<string, number>,
  window: { startedAt: number; windowMs: number },
) => Promise<ReadonlyMap<string, number>>

interface Settings {
  clock: Clock
  log: FastifyBaseLogger
  /** With other nodes: what is consumed on one is missing on all. */
  countTogether?: CountTogether | undefined
  /** Beyond this many keys the ones unused for longest are forgotten. */
  maxKeys?: number | undefined
}

interface Entry {
  bucket: TokenBucket
  perMinute: number
  /** The start of the window that the counts below belong to. */
  windowStartedAt: number
  /** Consumed here in this window. */
  own: number
  /** Consumed here and not yet shared with the other nodes. */
  unshared: number
  /** What all nodes had consumed when they last shared. */
  shared: number
}

const windowMs = 60_000
const shareEveryMs = 1000
/** Below this part of its allowance a key is not shared: ordinary use costs the database nothing. */
const sharedFrom = 1 / 4

/** Token buckets by key, in memory. Nodes that count together learn of each other's use within a second. */
export class RateLimiter {
  readonly #clock: Clock
  readonly #log: FastifyBaseLogger
  readonly #countTogether: CountTogether | undefined
  readonly #maxKeys: number
  /** The most recently used last. */
  readonly #entries = new Map<string, Entry>()
  #isSharing = false

  constructor({ clock, log, countTogether, maxKeys = 20_000 }: Settings) {
    this.#clock = clock
    this.#log = log
    this.#countTogether = countTogether
    this.#maxKeys = maxKeys
  }

  /** Takes one from each bucket until one is empty. Answers the seconds until that one has more, else 0. */
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

  /** Windows start at the same moment on every node, as far as their clocks agree. */
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
    // One at a time: an older answer must not come after a newer one.
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
        if (entry.windowStartedAt === startedAt) this.#learn(entry, count, totals.get(key))
      }
    } catch (error) {
      // This node's own limit still holds, and the next second tries again.
      for (const { entry, count } of sent.values()) entry.unshared += count
      this.#log.warn({ err: error }, 'failed to share rate limits with other nodes')
    }
  }

  #learn(entry: Entry, sent: number, total = entry.shared + sent) {
    const elsewhere = total - entry.shared - sent
    entry.shared = total
    if (elsewhere > 0) entry.bucket.drain(this.#clock.monotonicMs(), elsewhere)
  }
}
