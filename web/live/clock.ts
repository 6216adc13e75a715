const keptSamples = 8
/** The two clocks of a device drift by less than this between two looks, unless it slept or its time was set. */
const driftMs = 1000

interface Sample {
  readonly roundTripMs: number
  readonly offsetMs: number
}

/** This device's steady clock: it never jumps when someone sets the time. */
export function localNow(): number {
  return performance.now()
}

/**
 * The server's clock, as this device can know it. Of the last few beats the one with the shortest
 * round trip says best how the clocks differ: its error is at most half that round trip.
 */
export class ServerClock {
  readonly #guessedOffsetMs: number
  #samples: Sample[] = []
  #best: Sample | null = null
  #aheadMs = wallAheadMs()
  /** Steady time of the last sleep: what was asked before says nothing any more. */
  #wokeAt = Number.NEGATIVE_INFINITY
  #sure = false

  /** Until a server spoke, its clock is taken to be this far ahead of the time set on this device. */
  constructor(guessedOffsetMs = 0) {
    this.#guessedOffsetMs = guessedOffsetMs
  }

  /** The server's time in whole milliseconds since the epoch; a guess until a server spoke. */
  readonly now = (): number => {
    this.#noticeSleep()
    return Math.round(
      this.#best ? localNow() + this.#best.offsetMs : Date.now() + this.#guessedOffsetMs,
    )
  }

  /** A server has spoken, and since then this device has not slept: what is told of time may be relied on. */
  get sure(): boolean {
    this.#noticeSleep()
    return this.#sure
  }

  /** How far the server's clock is ahead of the time set on this device, in milliseconds. */
  get offsetMs(): number {
    return this.now() - Date.now()
  }

  /** Half of the best round trip, in milliseconds; none until a server spoke. */
  get errorMs(): number | null {
    return this.#best ? this.#best.roundTripMs / 2 : null
  }

  /** An answer that carried the server's time came back; times are of `localNow`. */
  learn(serverNow: number, sentAt: number, heardAt: number) {
    this.#noticeSleep()
    const roundTripMs = heardAt - sentAt
    if (!Number.isFinite(serverNow) || !(roundTripMs >= 0) || sentAt < this.#wokeAt) return
    const sample = { roundTripMs, offsetMs: serverNow + roundTripMs / 2 - heardAt }
    this.#samples = [...this.#samples, sample].slice(-keptSamples)
    this.#best = this.#samples.reduce((a, b) => (b.roundTripMs <= a.roundTripMs ? b : a))
    this.#sure = true
  }

  /** The steady clock may stand still while a device sleeps: what a new line says counts alone. */
  restart() {
    this.#samples = []
  }

  /**
   * Where the steady clock stands still while the device sleeps, the time set on it tells how long
   * that was: good enough until the next answer, which is asked for on waking up.
   */
  #noticeSleep() {
    const aheadMs = wallAheadMs()
    const sleptMs = aheadMs - this.#aheadMs
    if (Math.abs(sleptMs) <= driftMs) return
    this.#aheadMs = aheadMs
    this.#wokeAt = localNow()
    this.#samples = []
    this.#sure = false
    if (this.#best && sleptMs > 0) {
      this.#best = { ...this.#best, offsetMs: this.#best.offsetMs + sleptMs }
    }
  }
}

/** How far the time set on this device is ahead of its steady clock. */
function wallAheadMs(): number {
  return Date.now() - localNow()
}
