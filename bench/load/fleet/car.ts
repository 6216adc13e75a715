import type { LoadConnection } from './loadConnection.ts'

/** Slightly below the rate limit of our server, 50 frames a second and 100 at once (LIVE.md, L6). */
const framesPerSecond = 45
const burstFrames = 40

/** After this long without an arriving fix, the fixes in flight count as dropped. */
const droppedAfterMs = 5000

/** One session: the connections that drive it, and its number of fixes in flight. */
export class Car {
  readonly drivers: LoadConnection[] = []
  /** The sampled watcher whose received fixes open the window again. */
  pacer: LoadConnection | undefined
  sent = 0
  /** Time of its newest fix, by the wall clock; 0 before the first one. */
  fixAt = 0
  #arrived = 0
  #arrivedAt = 0
  #turn = 0

  /** Whether fixes are still in flight. */
  isWaiting(now: number): boolean {
    return this.roomIn(0, now) < 0
  }

  /** Number of fixes that may be sent while at most `window` are in flight. */
  roomIn(window: number, now: number): number {
    if (this.sent > this.#arrived && now - this.#arrivedAt > droppedAfterMs) {
      this.arrived(this.sent, now)
    }
    return window - (this.sent - this.#arrived)
  }

  /** Records that the pacer received the fix with this ordinal; missing older ones were dropped. */
  arrived(ordinal: number, now: number) {
    this.#arrived = Math.max(this.#arrived, ordinal)
    this.#arrivedAt = now
  }

  /** Returns the next connection below its rate limit; undefined if there is none. */
  nextDriver(now: number): LoadConnection | undefined {
    for (let n = 0; n < this.drivers.length; n++) {
      this.#turn = (this.#turn + 1) % this.drivers.length
      const connection = this.drivers[this.#turn]
      if (!connection?.isOpen) continue
      connection.credit = Math.min(
        burstFrames,
        connection.credit + ((now - connection.creditAt) * framesPerSecond) / 1000,
      )
      connection.creditAt = now
      if (connection.credit < 1) continue
      connection.credit -= 1
      return connection
    }
    return undefined
  }
}
