import type { Crossing } from './crossing.ts'
import type { Progress } from './progressMatcher.ts'

/** A claimed accuracy is a radius for 95 %: 2.45 times the spread along one axis, in a normal distribution. */
const claimPerSpread = 2.45

/** Spread of positions along one axis if the receiver claims nothing. */
const unknownSpreadM = 3

/** Half the width of a 95 % interval of a normal distribution, in spreads. */
const within95 = 1.96

/** The spread across the outline is measured after this many laps. */
const lapsToMeasure = 2

/** The median of absolute normal deviations, as a share of their spread. */
const medianPerSpread = 0.6745

/** Lap times are poor above this median ±, or from this median claim on. Source: measured on a phone's GPS. */
const poorPlusMinusMs = 500
const poorAccuracyM = 15

/** Spread of the delays with which readings arrive: usually up to 200 ms. */
const arrivalSpreadMs = 100

/** The share of a gap in reception by which an interpolated crossing may be wrong. */
const gapShare = 1 / 4

/** Estimates the uncertainty of lap times from what the receiver claims and from how much laps differ. */
export class Accuracy {
  /** Sums and counts of the places across the outline of earlier laps, for each place. */
  readonly #sumM: Float64Array
  readonly #count: Uint32Array
  /** How far fixes of this lap are from where earlier laps were. */
  #deviationsM: number[] = []
  #acrossM: number | null = null
  readonly #claims = new Uint32Array(101)

  constructor(places: number) {
    this.#sumM = new Float64Array(places)
    this.#count = new Uint32Array(places)
  }

  addClaim(accuracyM: number | null) {
    if (accuracyM === null) return
    const metre = Math.min(this.#claims.length - 1, Math.max(0, Math.floor(accuracyM)))
    this.#claims[metre] = (this.#claims[metre] as number) + 1
  }

  /** Adds where a fix was across the outline. */
  addProgress({ place, besideM }: Pick<Progress, 'place' | 'besideM'>) {
    const count = this.#count[place] as number
    if (count >= lapsToMeasure) {
      this.#deviationsM.push(Math.abs(besideM - (this.#sumM[place] as number) / count))
    }
    this.#sumM[place] = (this.#sumM[place] as number) + besideM
    this.#count[place] = count + 1
  }

  /** Ends a lap, whose spread replaces that of the lap before. */
  endLap() {
    const middle = median(this.#deviationsM)
    if (middle !== null) this.#acrossM = middle / medianPerSpread
    this.#deviationsM = []
  }

  /** Half the 95 % interval of the time between two crossings. */
  plusMinusMs(from: Crossing, to: Crossing): number {
    return within95 * Math.hypot(this.#spreadMs(from), this.#spreadMs(to))
  }

  #spreadMs({ accuracyM, speedMps, atArrival, gapMs, isSeen }: Crossing): number {
    const claimedM = accuracyM === null ? unknownSpreadM : accuracyM / claimPerSpread
    const spreadM = Math.max(claimedM, this.#acrossM ?? 0)
    const positionMs = (spreadM / speedMps) * 1000
    const arrivalMs = atArrival ? arrivalSpreadMs : 0
    return Math.hypot(positionMs, arrivalMs) + (isSeen ? 0 : gapMs * gapShare)
  }

  /** True if the receiver is too poor for lap times: laps are counted, times are approximate. */
  isPoor(plusMinusMs: readonly number[]): boolean {
    return (median(plusMinusMs) ?? 0) > poorPlusMinusMs || this.#medianClaimM() >= poorAccuracyM
  }

  #medianClaimM(): number {
    const half = this.#claims.reduce((sum, count) => sum + count, 0) / 2
    if (half === 0) return 0
    let counted = 0
    return this.#claims.findIndex(count => {
      counted += count
      return counted >= half
    })
  }
}

export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? null
}
