import { distanceM, type Position, positionBetween } from '#contract/shared/geo.ts'
import type { RecordedFix } from './recordedFix.ts'

/** Earliest time that is a date. Earlier ones count from the start of the file, or come from a clock that was not set. */
export const earliestMs = Date.UTC(1990, 0, 1)

/** Fixes at the beginning of a part that are compared with the fixes before it. */
const comparedFixes = 300

/** A part repeats an earlier one if this share of its compared fixes does, and at least `leastRepeated`. */
const repeatedShare = 0.6
const leastRepeated = 5

/**
 * A car is at almost the same place at the same time in two exports. Without dates the times are equal in each lap or
 * drive that begins at 0, and a car is as near as this at the start of each lap.
 */
const sameM = 10
const sameUndatedM = 0.5

/** Exports may have different rates: a place between two fixes is known if they are at most this many seconds away. */
const nearSeconds = 3

/** More parts are not compared, so that the time grows with the length of the file alone. */
const mostParts = 1000

/** Compares the parts of a file in which times step back: joined exports, or several drives. */
export class Parts {
  readonly #fixes: readonly RecordedFix[]
  /** The first fix in each second of the fixes before `#until`. */
  readonly #bySecond = new Map<number, RecordedFix>()
  #until = 0
  #latestMs = Number.NEGATIVE_INFINITY
  #compared = 0

  constructor(fixes: readonly RecordedFix[]) {
    this.#fixes = fixes
  }

  /** True if the part from this fix on has the same positions at the same times as the fixes before it. */
  isRepeated(index: number, shiftMs: number): boolean {
    const { repeated, overlapping } = this.#compare(index, shiftMs)
    return repeated >= leastRepeated && repeated >= repeatedShare * overlapping
  }

  /** True if the part from this fix on has dates, and hardly any fix before it is of the same time. */
  isEarlier(index: number, shiftMs: number): boolean {
    const fix = this.#fixes[index]
    return (
      fix !== undefined &&
      fix.atMs >= earliestMs &&
      this.#compare(index, shiftMs).overlapping < leastRepeated
    )
  }

  /** Returns the latest time of the fixes before this one. */
  latestMs(index: number): number {
    this.#addUntil(index)
    return this.#latestMs
  }

  #compare(index: number, shiftMs: number): { repeated: number; overlapping: number } {
    this.#compared += 1
    let repeated = 0
    let overlapping = 0
    if (this.#compared > 2 * mostParts) return { repeated, overlapping }
    this.#addUntil(index)
    const seen = new Set<number>()
    for (const fix of this.#fixes.slice(index, index + comparedFixes)) {
      const atMs = fix.atMs + shiftMs
      const second = Math.floor(atMs / 1000)
      if (!this.#bySecond.has(second) || seen.has(second)) continue
      seen.add(second)
      overlapping += 1
      const place = this.#placeAt(atMs)
      const withinM = fix.atMs >= earliestMs ? sameM : sameUndatedM
      if (place && distanceM(place, fix) <= withinM) repeated += 1
    }
    return { repeated, overlapping }
  }

  /** Returns where the car was at this time by the added fixes; null without one shortly before and after. */
  #placeAt(atMs: number): Position | null {
    const second = Math.floor(atMs / 1000)
    let before: RecordedFix | undefined
    let after: RecordedFix | undefined
    for (let away = 0; away <= nearSeconds; away++) {
      for (const fix of [this.#bySecond.get(second - away), this.#bySecond.get(second + away)]) {
        if (fix && fix.atMs <= atMs) before ??= fix
        if (fix && fix.atMs >= atMs) after ??= fix
      }
    }
    if (!before || !after) return null
    const forMs = after.atMs - before.atMs
    return forMs > 0 ? positionBetween(before, after, (atMs - before.atMs) / forMs) : before
  }

  /** Adds the fixes before this one, whose times are already corrected. */
  #addUntil(index: number) {
    for (; this.#until < index; this.#until++) {
      const fix = this.#fixes[this.#until]
      if (!fix) continue
      const second = Math.floor(fix.atMs / 1000)
      if (!this.#bySecond.has(second)) this.#bySecond.set(second, fix)
      this.#latestMs = Math.max(this.#latestMs, fix.atMs)
    }
  }
}
