import type { LoadLine } from './loadLine.ts'

/** What our server lets one line send is 50 frames a second and 100 at once (LIVE.md, L6): a bit less. */
const framesPerSecond = 45
const burstFrames = 40

/** After this long without a fix coming back, those on the way count as dropped. */
const droppedAfterMs = 5000

/** One session: the lines that drive it, and how many of its fixes are on their way. */
export class Car {
  readonly drivers: LoadLine[] = []
  /** The sampled watcher whose fixes open the window again. */
  pacer: LoadLine | undefined
  sent = 0
  #arrived = 0
  #arrivedAt = 0
  #turn = 0

  /** Whether fixes are still on their way. */
  isWaiting(now: number): boolean {
    return this.roomIn(0, now) < 0
  }

  /** How many fixes may follow, so that no more than `window` are on their way. */
  roomIn(window: number, now: number): number {
    if (this.sent > this.#arrived && now - this.#arrivedAt > droppedAfterMs) {
      this.arrived(this.sent, now)
    }
    return window - (this.sent - this.#arrived)
  }

  /** The fix with this ordinal came to the pacer; older ones that did not were dropped. */
  arrived(ordinal: number, now: number) {
    this.#arrived = Math.max(this.#arrived, ordinal)
    this.#arrivedAt = now
  }

  /** The next line that may send a frame; none when all have sent as much as they may. */
  nextDriver(now: number): LoadLine | undefined {
    for (let n = 0; n < this.drivers.length; n++) {
      this.#turn = (this.#turn + 1) % this.drivers.length
      const line = this.drivers[this.#turn]
      if (!line?.isOpen) continue
      line.credit = Math.min(
        burstFrames,
        line.credit + ((now - line.creditAt) * framesPerSecond) / 1000,
      )
      line.creditAt = now
      if (line.credit < 1) continue
      line.credit -= 1
      return line
    }
    return undefined
  }
}
