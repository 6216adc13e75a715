import type { SessionId } from '#contract/ids.ts'
import { NetworkBuckets } from '../rateLimit/networkBuckets.ts'
import { TokenBuckets } from '../rateLimit/tokenBuckets.ts'

/** Ten seconds' worth may come at once: what a receiver measured while its network was away. */
const burstSeconds = 10

/** Three thousand cars at 1 Hz behind one address are more than any paddock has. */
const fixesPerSecondOfNetwork = 3000

/** How many fixes are taken, of connections and calls together, on this node. */
export class FixLimits {
  readonly #sessions: TokenBuckets
  readonly #networks = new NetworkBuckets({
    capacity: fixesPerSecondOfNetwork * burstSeconds,
    refillPerSecond: fixesPerSecondOfNetwork,
  })

  constructor(fixesPerSecond: number) {
    this.#sessions = new TokenBuckets({
      capacity: fixesPerSecond * burstSeconds,
      refillPerSecond: fixesPerSecond,
    })
  }

  /** False if this fix is one too many, for its session or its network. `address`: none if it is not limited. */
  allows(session: SessionId, address: string | undefined, nowMs: number): boolean {
    if (!this.#sessions.tryConsume(session, nowMs)) return false
    return address === undefined || this.#networks.tryConsume(address, nowMs)
  }
}
