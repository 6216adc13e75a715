import { type Crossing, longestSeenMs } from './crossing.ts'

/** A reported accuracy is a radius for 95 %: 2.45 times the spread along one axis, in a normal distribution. */
const accuracyPerSpread = 2.45

/** Spread of positions along one axis if the receiver reports no accuracy, until the spread between laps is measured. */
const unknownSpreadM = 3

/** Half the width of a 95 % interval of a normal distribution, in spreads. */
const within95 = 1.96

/** The spread across the outline is measured after this many laps. */
const lapsToMeasure = 2

/** The median of absolute normal deviations, as a share of their spread. */
const medianPerSpread = 0.6745

/** Lap times are poor above this median ±, or from this median reported accuracy on. Source: measured on a phone's GPS. */
export const poorPlusMinusMs = 500
const poorAccuracyM = 15

/**
 * Least spread of the time of a crossing: of the receiver's times, and of an interpolation between two fixes, as a share
 * of the time between them. The speed does not change evenly between them, however precise the positions are.
 */
const leastSpreadMs = 2
const interpolatedShare = 0.02

/** Spread of the delays with which readings arrive: usually up to 200 ms. */
const arrivalSpreadMs = 100

/** The share of a gap in reception by which an interpolated crossing may be wrong. */
const gapShare = 1 / 4

/** Most deviations of a lap that are kept: enough for a median. */
const mostDeviations = 10_000

/** Estimates the uncertainty of lap times from the reported accuracy and from how much laps differ. */
export class Accuracy {
  /** How far fixes of this lap are from where earlier laps were. */
  #deviationsM: number[] = []
  #acrossM: number | null = null
  #laps = 0
  /** Number of reported accuracies, and of the poor ones among them. */
  #reportedCount = 0
  #poorCount = 0

  addReported(accuracyM: number | null) {
    if (accuracyM === null) return
    this.#reportedCount += 1
    if (accuracyM >= poorAccuracyM) this.#poorCount += 1
  }

  /** True if the median of the reported accuracies is poor. */
  get hasPoorReports(): boolean {
    return this.#poorCount * 2 > this.#reportedCount
  }

  /** Adds how far a fix is from where earlier laps were. */
  addDeviation(asideM: number) {
    if (this.#laps >= lapsToMeasure && this.#deviationsM.length < mostDeviations)
      this.#deviationsM.push(asideM)
  }

  /** True once the spread between laps is measured. */
  get isMeasured(): boolean {
    return this.#acrossM !== null
  }

  /** Ends a lap. Its spread replaces the spread of the lap before. */
  endLap() {
    this.#laps += 1
    const middle = upperMedian(this.#deviationsM)
    if (middle !== null) this.#acrossM = middle / medianPerSpread
    this.#deviationsM = []
  }

  /** Half the 95 % interval of the time between two crossings. */
  plusMinusMs(from: Crossing, to: Crossing): number {
    return within95 * Math.hypot(this.#spreadMs(from), this.#spreadMs(to))
  }

  #spreadMs({ accuracyM, speedMps, atArrival, gapMs, isSeen }: Crossing): number {
    const reportedM = accuracyM === null ? null : accuracyM / accuracyPerSpread
    const spreadM = Math.max(
      reportedM ?? 0,
      this.#acrossM ?? (reportedM === null ? unknownSpreadM : 0),
    )
    const positionMs = (spreadM / speedMps) * 1000
    const arrivalMs = atArrival ? arrivalSpreadMs : 0
    const interpolatedMs = interpolatedShare * Math.min(gapMs, longestSeenMs)
    const seenMs = Math.hypot(positionMs, arrivalMs, interpolatedMs, leastSpreadMs)
    return seenMs + (isSeen ? 0 : gapMs * gapShare)
  }

  /** True if the receiver is too poor for lap times: laps are counted, times are approximate. */
  isPoor(plusMinusMs: readonly number[]): boolean {
    return (upperMedian(plusMinusMs) ?? 0) > poorPlusMinusMs || this.hasPoorReports
  }
}

/** Returns the median: of an even number of values the larger of the two in the middle, of none null. */
export function upperMedian(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? null
}
