import { networkOf } from '../rateLimit/network.ts'
import { OpenCounts } from '../rateLimit/openCounts.ts'

/** Connections to this node from one IPv4 address or IPv6 /64: about three times the devices of a full paddock. */
const maxPerNetwork = 2000

/**
 * The first connections of a user (a phone in the car, a screen at the pit wall) may also use a reserve of
 * the same size, so that a hundred accounts behind a paddock's Wi-Fi cannot lock out a driver.
 */
const reservedPerUser = 3
const reserveFactor = 2

/** Counts open connections by user and by network. */
export class ConnectionCounts {
  readonly #maxPerUser: number
  readonly #counts = new OpenCounts()

  constructor(maxPerUser: number) {
    this.#maxPerUser = maxPerUser
  }

  /**
   * Counts one more connection, or returns false if its user or network has too many. `address` is undefined if
   * its network is not limited.
   */
  tryAdd(userId: string, address: string | undefined): boolean {
    const factor = this.#counts.of(userId) < reservedPerUser ? reserveFactor : 1
    const limit = maxPerNetwork * factor
    return this.#counts.tryAdd([
      { key: userId, limit: this.#maxPerUser },
      ...(address === undefined ? [] : [{ key: networkOf(address), limit }]),
    ])
  }

  /** Counts one connection less. Call it once when a counted connection has closed. */
  remove(userId: string, address: string | undefined) {
    this.#counts.remove([userId, ...(address === undefined ? [] : [networkOf(address)])])
  }
}
