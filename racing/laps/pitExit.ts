/** Racing speed if no limit of the pits is known: series allow up to 80 km/h there. */
const usualRacingKmh = 90

/** Racing speed above a known limit of the pits. */
const leftMarginKmh = 15

/** A car at racing speed for this long is on the track again. */
export const leftAfterMs = 3000

/** Returns the speed from which a car is not in the pits; `limitKmh` is the limit by the rules, null without one. */
export function racingKmhOf(limitKmh: number | null): number {
  return limitKmh === null ? usualRacingKmh : limitKmh + leftMarginKmh
}

/** Assumed limit of the pits if the rules have none, so that a car counts as fast from 60 km/h on, a usual limit. */
const usualLimitKmh = 55

/** Above the limit by this much the driver is not standing in the box, nor creeping through the lane. */
const doneMarginKmh = 5

/** Returns whether a car in the pits is too fast for its box; `limitKmh` is the limit by the rules, null without one. */
export function isTooFastForBox(
  speedKmh: number | null | undefined,
  limitKmh: number | null,
): boolean {
  return (speedKmh ?? 0) >= (limitKmh ?? usualLimitKmh) + doneMarginKmh
}

/** Finds when a car left the pits by its speed alone, for circuits without a known pit-out line. */
export class PitExit {
  #sinceMs: number | null = null
  #leftAtMs: number | null = null

  /** The start of the last period of `leftAfterMs` or more at racing speed, by the times of `add`; null before one. */
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
