import type { Crossing } from './crossing.ts'

/** A claimed accuracy is a radius for 95 %: 2.45 times the spread along one axis, in a normal distribution. */
const claimPerSpread = 2.45

/** Spread of positions along one axis if the receiver reports no accuracy. */
const unknownSpreadM = 3

/** Half the width of a 95 % interval of a normal distribution, in spreads. */
const within95 = 1.96

/** The spread across the outline is measured after this many laps. */
const lapsToMeasure = 2

/** The median of absolute normal deviations, as a share of their spread. */
const medianPerSpread = 0.6745

/** Lap times are poor above this median ±, or from this median claim on. Source: measured on a phone's GPS. */
export const poorPlusMinusMs = 500
const poorAccuracyM = 15

/** Spread of the delays with which readings arrive: usually up to 200 ms. */
const arrivalSpreadMs = 100

/** The share of a gap in reception by which an interpolated crossing may be wrong. */
const gapShare = 1 / 4

/** Estimates the uncertainty of lap times from the reported accuracy and from how much laps differ. */
export class Accuracy {
  /** How far fixes of this lap are from where earlier laps were. */
  #deviationsM: number[] = []
  #acrossM: number | null = null
  #laps = 0
  /** Number of reported accuracies, and of the poor ones among them. */
  #claims = 0
  #poorClaims = 0

  addClaim(accuracyM: number | null) {
    if (accuracyM === null) return
    this.#claims += 1
    if (accuracyM >= poorAccuracyM) this.#poorClaims += 1
  }

  /** True if the median of the reported accuracies is poor. */
  get hasPoorClaims(): boolean {
    return this.#poorClaims * 2 > this.#claims
  }

  /** Adds how far a fix is from where earlier laps were. */
  addDeviation(asideM: number) {
    if (this.#laps >= lapsToMeasure) this.#deviationsM.push(asideM)
  }

  /** Ends a lap. Its spread replaces the spread of the lap before. */
  endLap() {
    this.#laps += 1
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
    return (median(plusMinusMs) ?? 0) > poorPlusMinusMs || this.hasPoorClaims
  }
}

export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? null
}
