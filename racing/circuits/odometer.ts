import type { PlacedFix } from '../fix.ts'

/** Standard deviation of the driven distance, as a share of it. */
const relativeSpread = 0.08

/** In a gap between fixes longer than the first, the mean speed is uncertain by the second. */
const gapMs = 2500
const gapSpreadMps = 15

/** The scale starts at 1, with the weight of this many laps. */
const priorLaps = 0.5

/** The odometer is compared with the outline over this distance, or a quarter of a lap. */
const compareOverM = 100

/** The driven distance between two matched fixes, and its standard deviation. */
export interface Driven {
  readonly drivenM: number
  readonly spreadM: number
}

/** Integrates a car's speed. Its scale is calibrated against the outline, since phones under-read their speed. */
export class Odometer {
  readonly #lapM: number
  #last: PlacedFix | undefined
  #drivenM = 0
  #spreadM = 0
  /** Exponential sums over about a lap, of the distance along the outline and of the unscaled odometer. */
  #alongSumM = 0
  #drivenSumM = 0
  /** Distances since they were last compared. */
  #comparedM = 0
  #comparedAlongM = 0

  constructor(lapM: number) {
    this.#lapM = lapM
  }

  /** Adds the distance since the last fix. */
  drive(fix: PlacedFix) {
    const last = this.#last ?? fix
    const drivenM =
      ((fix.speedMps + last.speedMps) / 2) * ((fix.atMs - last.atMs) / 1000) * this.#scale()
    this.#drivenM += drivenM
    this.#spreadM += drivenM * relativeSpread
    this.park(fix)
  }

  /** Adds the time since the last fix of a standing car, which moved only if there was a gap. */
  park(fix: PlacedFix) {
    const forMs = fix.atMs - (this.#last?.atMs ?? fix.atMs)
    if (forMs > gapMs) this.#spreadM += (forMs / 1000) * gapSpreadMps
    this.#last = fix
  }

  /** Returns the distance since the last call, and starts again from zero. */
  take(): Driven {
    const taken = { drivenM: this.#drivenM, spreadM: this.#spreadM }
    this.#drivenM = 0
    this.#spreadM = 0
    return taken
  }

  /**
   * Adds a driven distance and that along the outline, which are compared over some places of the outline: a slow car is
   * at the same place for several fixes. Differences of more than half of the distance are ignored.
   */
  calibrate(drivenM: number, alongM: number) {
    this.#comparedM += drivenM
    this.#comparedAlongM += alongM
    if (this.#comparedM < Math.min(compareOverM, this.#lapM / 4)) return
    const [forM, wayM] = [this.#comparedM, this.#comparedAlongM]
    this.#comparedM = 0
    this.#comparedAlongM = 0
    if (Math.abs(wayM - forM) > forM / 2) return
    const keep = Math.exp(-forM / this.#lapM)
    this.#alongSumM = this.#alongSumM * keep + wayM
    this.#drivenSumM = this.#drivenSumM * keep + forM / this.#scale()
  }

  /** Forgets the last fix; the scale stays. */
  reset() {
    this.take()
    this.#last = undefined
  }

  #scale(): number {
    const priorM = this.#lapM * priorLaps
    return (this.#alongSumM + priorM) / (this.#drivenSumM + priorM)
  }
}
