import { networkLimits } from '../rateLimit/network.ts'
import { OpenCounts } from '../rateLimit/openCounts.ts'

/** Connections to this node from one address or /64: several hundred devices of a paddock, three times over. */
const maxOfNetwork = 2000

/**
 * The first connections of a user, such as a phone in the car and a screen at the pit wall, also fit into a
 * reserve of the same size: a hundred accounts behind a paddock's Wi-Fi cannot take the place of a driver.
 */
const firstOfUser = 3
const reserveFactor = 2

/** How many connections are open, by user and by network. */
export class ConnectionCounts {
  readonly #maxOfUser: number
  readonly #counts = new OpenCounts()

  constructor(maxOfUser: number) {
    this.#maxOfUser = maxOfUser
  }

  /**
   * Counts one more connection, or answers null if its user or network has too many. Call the result when
   * it closes. `address`: none if its network is not limited.
   */
  add(userId: string, address: string | undefined): (() => void) | null {
    const factor = this.#counts.of(userId) < firstOfUser ? reserveFactor : 1
    const networks = address === undefined ? [] : networkLimits(address, maxOfNetwork * factor)
    return this.#counts.tryAdd([
      { key: userId, limit: this.#maxOfUser },
      ...networks.map(({ network, limit }) => ({ key: network, limit })),
    ])
  }
}
