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

  /** Takes `cost` tokens even if there are fewer: the balance becomes negative and is refilled first. */
  charge(nowMs: number, cost = 1) {
    this.#refill(nowMs)
    this.#tokens -= cost
  }

  /** Returns the whole seconds until `cost` tokens are available, 0 if they are now. */
  retryAfterSeconds(nowMs: number, cost = 1): number {
    this.#refill(nowMs)
    return Math.max(0, Math.ceil((cost - this.#tokens) / this.#rate.refillPerSecond))
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
