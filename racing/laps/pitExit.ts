/** Nobody drives this fast in the pits where no limit is known: series allow up to 80 km/h. */
const usualRacingKmh = 90

/** A car that is faster than the limit by this much, for this long, is on the track again. */
const leftMarginKmh = 15
export const leftAfterMs = 3000

/** Returns the speed from which a car is not in the pits; `limitKmh` is the limit by the rules, null without one. */
export function racingKmhOf(limitKmh: number | null): number {
  return limitKmh === null ? usualRacingKmh : limitKmh + leftMarginKmh
}

/** Finds from the speed alone when a car left the pits, where no pit-out line is known. */
export class PitExit {
  #sinceMs: number | null = null
  #leftAtMs: number | null = null

  /** When the car last drove at racing speed for some seconds, the first time of these; null before. */
  get leftAtMs(): number | null {
    return this.#leftAtMs
  }

  /** Adds a speed, in order of time. */
  add(atMs: number, speedKmh: number, racingKmh: number) {
    if (speedKmh < racingKmh) this.#sinceMs = null
    else this.#sinceMs ??= atMs
    if (this.#sinceMs !== null && atMs - this.#sinceMs >= leftAfterMs)
      this.#leftAtMs = this.#sinceMs
  }
}
