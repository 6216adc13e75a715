import { networkLimits } from './network.ts'
import type { Rate } from './tokenBucket.ts'
import { TokenBuckets } from './tokenBuckets.ts'

/** Token buckets by network; wider networks get larger buckets, as in `networkLimits`. */
export class NetworkBuckets {
  readonly #rate: Rate
  /** Buckets by factor: one set for each prefix length. */
  readonly #buckets = new Map<number, TokenBuckets>()

  constructor(rate: Rate) {
    this.#rate = rate
  }

  /** Returns false if any network of this IP address has no token left. */
  tryConsume(ip: string, nowMs: number): boolean {
    return networkLimits(ip, 1).every(({ network, limit }) =>
      this.#of(limit).tryConsume(network, nowMs),
    )
  }

  #of(factor: number): TokenBuckets {
    const known = this.#buckets.get(factor)
    if (known) return known
    const { capacity, refillPerSecond } = this.#rate
    const buckets = new TokenBuckets({
      capacity: capacity * factor,
      refillPerSecond: refillPerSecond * factor,
    })
    this.#buckets.set(factor, buckets)
    return buckets
  }
}
