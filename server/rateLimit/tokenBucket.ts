export interface Rate {
  /** The most that may be consumed at once. */
  capacity: number
  refillPerSecond: number
}

/**
 * A rate limit in memory, refilled by elapsed monotonic time: a process that stood still refills it for
 * the whole of that time, so requests that queued up in the kernel meanwhile are not held against clients.
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

  /** Takes `cost` tokens, or none and answers false if there are not that many. */
  tryConsume(nowMs: number, cost = 1): boolean {
    this.#refill(nowMs)
    if (this.#tokens < cost) return false
    this.#tokens -= cost
    return true
  }

  /** Takes up to `cost` tokens: they were consumed elsewhere, and it is too late to refuse them. */
  drain(nowMs: number, cost: number) {
    this.#refill(nowMs)
    this.#tokens = Math.max(0, this.#tokens - cost)
  }

  /** Whole seconds until one token is there: 0 if there is one now. */
  retryAfterSeconds(nowMs: number): number {
    this.#refill(nowMs)
    return Math.max(0, Math.ceil((1 - this.#tokens) / this.#rate.refillPerSecond))
  }

  /** True once nothing is missing: a full bucket can be forgotten, a new one is equal to it. */
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
