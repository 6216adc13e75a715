import type { FastifyRateLimitStore } from '@fastify/rate-limit'
import type { FastifyBaseLogger } from 'fastify'

/** Adds what this node counted in a window to what all counted, and answers that, by the same keys. */
export type CountTogether = (
  counts: ReadonlyMap<string, number>,
  window: { startedAt: number; windowMs: number },
) => Promise<ReadonlyMap<string, number>>

/** Who calls less in a window is of no interest to the other nodes: ordinary days cost the database nothing. */
export const untoldUpTo = 300
const tellEveryMs = 1000
/** More addresses than that at once are no longer told apart: the oldest go. */
const mostKeys = 5000

interface Count {
  /** What all nodes counted, as far as this one was told, and itself since. */
  all: number
  /** What only this node knows of. */
  untold: number
}

/** Counts calls in windows of one length. Nodes that count together learn of each other within a second. */
export class CallCounts implements FastifyRateLimitStore {
  readonly #countTogether: CountTogether
  readonly #log: FastifyBaseLogger
  #counts = new Map<string, Count>()
  #startedAt = 0
  #windowMs = 0
  #timer: NodeJS.Timeout | undefined

  constructor(countTogether: CountTogether, log: FastifyBaseLogger) {
    this.#countTogether = countTogether
    this.#log = log
  }

  incr(
    key: string,
    callback: (error: Error | null, result: { current: number; ttl: number }) => void,
    windowMs: number,
  ) {
    const now = Date.now()
    // Windows begin at the same moment on every node, as far as their clocks agree.
    const startedAt = now - (now % windowMs)
    if (startedAt !== this.#startedAt) this.#counts = new Map()
    this.#startedAt = startedAt
    this.#windowMs = windowMs
    const count = this.#countOf(key)
    count.all += 1
    count.untold += 1
    if (count.all > untoldUpTo) this.#tellSoon()
    callback(null, { current: count.all, ttl: startedAt + windowMs - now })
  }

  /** No route has a limit of its own. */
  child(): FastifyRateLimitStore {
    return this
  }

  #countOf(key: string): Count {
    const known = this.#counts.get(key)
    if (known) return known
    const count = { all: 0, untold: 0 }
    this.#counts.set(key, count)
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > mostKeys && oldest !== undefined) this.#counts.delete(oldest)
    return count
  }

  #tellSoon() {
    if (this.#timer) return
    // One after the other: an older answer must not come after a newer one.
    this.#timer = setTimeout(() => void this.#tell(), tellEveryMs).unref()
  }

  async #tell() {
    const counts = this.#counts
    const told = new Map<string, number>()
    for (const [key, count] of counts) {
      if (count.all <= untoldUpTo || count.untold === 0) continue
      told.set(key, count.untold)
      count.untold = 0
    }
    if (told.size === 0) return this.#rest()
    const window = { startedAt: this.#startedAt, windowMs: this.#windowMs }
    try {
      for (const [key, all] of await this.#countTogether(told, window)) {
        const count = counts.get(key)
        if (count) count.all = all + count.untold
      }
    } catch (error) {
      // This node's own count still holds.
      for (const [key, untold] of told) {
        const count = counts.get(key)
        if (count) count.untold += untold
      }
      this.#log.warn({ err: error }, 'calls were not counted together')
    }
    this.#rest()
  }

  #rest() {
    this.#timer = undefined
  }
}
