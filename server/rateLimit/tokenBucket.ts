export interface Rate {
  /** Maximum burst, in tokens. */
  capacity: number
  refillPerSecond: number
}

/**
 * A rate limit in memory, refilled by elapsed monotonic time. After a stalled process the whole pause is
 * refilled, so clients are not refused for requests that the kernel queued during it.
 */
export class TokenBucket {
  readonly #rate: Rate
  #tokens: number
  #refilledAtMs: number

  constructor(rate: Rate, nowMs: number) {
    this.#rate = rate
    this.#tokens = rate.capacity
    this.#refilledAtMs = nowMs
  }

  /** Takes `cost` tokens. Returns false and takes none if there are fewer. */
  tryConsume(nowMs: number, cost = 1): boolean {
    this.#refill(nowMs)
    if (this.#tokens < cost) return false
    this.#tokens -= cost
    return true
  }

  /** Takes up to `cost` tokens, which were already consumed on other nodes. */
  drain(nowMs: number, cost: number) {
    this.#refill(nowMs)
    this.#tokens = Math.max(0, this.#tokens - cost)
  }

  /** Takes a token even if there is none: the balance becomes negative and is refilled first. */
  charge(nowMs: number) {
    this.#refill(nowMs)
    this.#tokens -= 1
  }

  /** Returns the whole seconds until a token is available, 0 if one is now. */
  retryAfterSeconds(nowMs: number): number {
    this.#refill(nowMs)
    return Math.max(0, Math.ceil((1 - this.#tokens) / this.#rate.refillPerSecond))
  }

  /** True if the bucket is full: it can be discarded, because a new one is equal to it. */
  isFull(nowMs: number): boolean {
    this.#refill(nowMs)
    return this.#tokens === this.#rate.capacity
  }

  #refill(nowMs: number) {
    const { capacity, refillPerSecond } = this.#rate
    const elapsedMs = Math.max(0, nowMs - this.#refilledAtMs)
    this.#tokens = Math.min(capacity, this.#tokens + (elapsedMs * refillPerSecond) / 1000)
    this.#refilledAtMs = Math.max(this.#refilledAtMs, nowMs)
  }
}
