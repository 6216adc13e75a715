import { type Rate, TokenBucket } from './tokenBucket.ts'

/** Beyond this many keys full buckets are evicted. */
const defaultMaxKeys = 20_000

/**
 * One bucket per key, such as a user or a network. Full buckets are equal to new ones, so they can be
 * evicted.
 */
export class TokenBuckets {
  readonly #rate: Rate
  readonly #maxKeys: number
  readonly #buckets = new Map<string, TokenBucket>()

  constructor(rate: Rate, maxKeys = defaultMaxKeys) {
    this.#rate = rate
    this.#maxKeys = maxKeys
  }

  get size(): number {
    return this.#buckets.size
  }

  tryConsume(key: string, nowMs: number, cost = 1): boolean {
    return this.#bucketOf(key, nowMs).tryConsume(nowMs, cost)
  }

  /** True if a token is available. Takes none. */
  hasToken(key: string, nowMs: number): boolean {
    const bucket = this.#buckets.get(key)
    return bucket === undefined || bucket.retryAfterSeconds(nowMs) === 0
  }

  /** Takes a token even if there is none. */
  charge(key: string, nowMs: number) {
    this.#bucketOf(key, nowMs).charge(nowMs)
  }

  #bucketOf(key: string, nowMs: number): TokenBucket {
    return this.#buckets.get(key) ?? this.#add(key, nowMs)
  }

  #add(key: string, nowMs: number): TokenBucket {
    if (this.#buckets.size >= this.#maxKeys) this.#evict(nowMs)
    const bucket = new TokenBucket(this.#rate, nowMs)
    this.#buckets.set(key, bucket)
    return bucket
  }

  /**
   * Evicts full buckets. If there are few, evicts the oldest tenth too, so that this does not run on every
   * call.
   */
  #evict(nowMs: number) {
    for (const [key, bucket] of this.#buckets) if (bucket.isFull(nowMs)) this.#buckets.delete(key)
    const excess = this.#buckets.size - Math.floor(this.#maxKeys * 0.9)
    for (const key of [...this.#buckets.keys()].slice(0, Math.max(0, excess)))
      this.#buckets.delete(key)
  }
}
