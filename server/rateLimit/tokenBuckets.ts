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

  /** Returns the whole seconds until `cost` tokens are available, 0 if they are now. */
  retryAfterSeconds(key: string, nowMs: number, cost = 1): number {
    return this.#bucketOf(key, nowMs).retryAfterSeconds(nowMs, cost)
  }

  /** Takes `cost` tokens even if there are fewer. */
  charge(key: string, nowMs: number, cost = 1) {
    this.#bucketOf(key, nowMs).charge(nowMs, cost)
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
