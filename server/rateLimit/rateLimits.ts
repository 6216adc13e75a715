import { Refusal } from '#contract/refusal.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { TokenBuckets } from './tokenBuckets.ts'

/** How often something may be done: as often at once, and again within the window. */
export interface Rate {
  limit: number
  windowMs: number
}

export interface Limit extends Rate {
  /** Name of the limited action, such as `upload`. In the memory of a node an action has one rate. */
  what: string
  /** Key of the limit: a user's id, a login, an e-mail address or a network. */
  key: string
  /** Weight of this action; 1 by default. */
  cost?: number | undefined
}

/** Rate limits in the memory of this node, by token buckets: see `sharedLimits.ts` for those of all nodes. */
export class RateLimits {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #buckets = new Map<string, TokenBuckets>()

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  /** Counts an action. Refuses with `too-many` beyond the limit, and then counts nothing. */
  enforce(limit: Limit) {
    this.require(limit)
    this.charge(limit)
  }

  /** Refuses with `too-many` if the limit does not allow the action. Counts nothing. */
  require(limit: Limit) {
    const retryAfterSeconds = this.#retryAfterSeconds(limit)
    if (retryAfterSeconds > 0) throw new Refusal('too-many', { retryAfterSeconds })
  }

  /** Counts an action if the limit allows it, and returns whether it does. */
  tryConsume(limit: Limit): boolean {
    const isAllowed = this.#retryAfterSeconds(limit) === 0
    if (isAllowed) this.charge(limit)
    return isAllowed
  }

  /** Counts an action that has happened, even beyond the limit: it delays the next ones. */
  charge(limit: Limit) {
    this.#bucketsOf(limit).charge(limit.key, this.#clock.monotonicMs(), limit.cost)
  }

  /** Resets all counts. */
  clear() {
    this.#buckets.clear()
  }

  #retryAfterSeconds(limit: Limit): number {
    const now = this.#clock.monotonicMs()
    return this.#bucketsOf(limit).retryAfterSeconds(limit.key, now, limit.cost)
  }

  #bucketsOf({ what, limit, windowMs }: Limit): TokenBuckets {
    const known = this.#buckets.get(what)
    if (known) return known
    const buckets = new TokenBuckets({
      capacity: limit,
      refillPerSecond: (limit * 1000) / windowMs,
    })
    this.#buckets.set(what, buckets)
    return buckets
  }
}
