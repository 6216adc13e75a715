import type { Crossing } from './crossing.ts'
import type { Progress } from './progressMatcher.ts'
import type { UsualPasses } from './usualPasses.ts'

/** A fix this far from the outline, this inaccurate, or after a gap this long does not show where the car is. */
const farthestM = 25
const certainAccuracyM = 20
const longestGapMs = 2500

/** Phones without a position also report that the car stands. A longer time is a stop. */
const stopMs = 10_000

/** Successive fixes that must agree with the outline before they are trusted. */
const agreeingFixes = 3

/** A crossing of the matched path, at which the receiver was wrong. */
interface Doubtful {
  readonly crossing: Crossing
  /** Place of the line, in metres along the path. */
  readonly lineM: number
  /** Metres driven in the lap up to the crossing. */
  readonly wayM: number
  /** Standing time of the drive up to the crossing. */
  readonly stoodMs: number
}

/**
 * Times crossings at which the receiver was wrong, once the place of the car is certain again: by the usual pace.
 * Phones lose their position for a quarter of a lap, read too low a speed then, and report far too small an error.
 */
export class DoubtfulCrossings {
  readonly #usual: UsualPasses
  #held: (Doubtful & { readonly from: Progress }) | null = null
  #agreeing = 0
  #trusted: Progress | null = null

  constructor(usual: UsualPasses) {
    this.#usual = usual
  }

  /** Adds the next place of the car. Returns true if it is certain. */
  add(before: Progress, progress: Progress): boolean {
    const agrees =
      progress.offM <= farthestM &&
      (progress.fix.accuracyM ?? 0) <= certainAccuracyM &&
      progress.fix.atMs - before.fix.atMs < longestGapMs
    this.#agreeing = agrees ? this.#agreeing + 1 : 0
    if (this.#agreeing < agreeingFixes) return false
    // A held crossing keeps the certain place before it.
    this.#trusted = progress
    return true
  }

  /** Holds a crossing back. Returns false if no place of its lap, which began at `sinceMs`, was certain. */
  hold(doubtful: Doubtful, sinceMs: number): boolean {
    const from = this.#trusted
    if (!from || from.fix.atMs <= sinceMs) return false
    this.#held = { ...doubtful, from }
    return true
  }

  /**
   * Returns the crossing that was held back, if any, timed by the usual pace between the last certain place and this
   * one. Without one, or if the car stood in between, the time of the matched path remains.
   */
  release(certain: Progress | null): Omit<Doubtful, 'lineM'> | null {
    const held = this.#held
    if (!held) return null
    this.#held = null
    const { crossing, from, lineM, wayM, stoodMs } = held
    if (!certain || certain.stoodMs - from.stoodMs >= stopMs) return { crossing, wayM, stoodMs }
    const { alongM, fix } = from
    const gapMs = certain.fix.atMs - fix.atMs
    const wholeMs = this.#usual.usualMs(alongM, certain.alongM)
    const share = wholeMs > 0 ? this.#usual.usualMs(alongM, lineM) / wholeMs : 0.5
    return { crossing: { ...crossing, atMs: fix.atMs + share * gapMs, gapMs }, wayM, stoodMs }
  }

  /** Forgets the car's place. */
  lose() {
    this.#held = null
    this.#agreeing = 0
    this.#trusted = null
  }
}
