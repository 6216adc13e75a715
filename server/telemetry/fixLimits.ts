import type { SessionId } from '#contract/ids.ts'
import { networkOf } from '../rateLimit/network.ts'
import { TokenBuckets } from '../rateLimit/tokenBuckets.ts'

/** Ten seconds' worth may arrive in a burst: a receiver's buffer after a network outage. */
const burstSeconds = 10

/** Three thousand cars at 1 Hz behind one IP address are more than any paddock has. */
const fixesPerSecondPerNetwork = 3000

/** Rate limits of fixes on this node, by session and by network, for connections and reports by HTTP together. */
export class FixLimits {
  readonly #sessions: TokenBuckets
  readonly #networks = new TokenBuckets({
    capacity: fixesPerSecondPerNetwork * burstSeconds,
    refillPerSecond: fixesPerSecondPerNetwork,
  })

  constructor(fixesPerSecond: number) {
    this.#sessions = new TokenBuckets({
      capacity: fixesPerSecond * burstSeconds,
      refillPerSecond: fixesPerSecond,
    })
  }

  /**
   * Returns false if this fix exceeds the limit of its session or network. `address` is undefined if its
   * network is not limited.
   */
  allows(session: SessionId, address: string | undefined, nowMs: number): boolean {
    if (!this.#sessions.tryConsume(session, nowMs)) return false
    return address === undefined || this.#networks.tryConsume(networkOf(address), nowMs)
  }
}
