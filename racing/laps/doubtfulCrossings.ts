import type { Crossing } from '../circuits/crossing.ts'
import type { Progress } from '../circuits/progressMatcher.ts'
import type { UsualPasses } from './usualPasses.ts'

/** Limits of a fix that shows where the car is: distance from the outline, accuracy, and time since the last fix. */
const farthestM = 25
const certainAccuracyM = 20
const longestGapMs = 2500

/** Below this standing time the car may have been driving: a phone without a position reports speed 0 too. */
const stopMs = 10_000

/** Successive fixes that must agree with the outline before they are trusted. */
const agreeingFixes = 3

/** A crossing of the line, with a time that is not certain because the receiver was wrong there. */
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
 * Holds back crossings at which the receiver was wrong. Once the place of the car is certain again, they are timed by
 * the usual pace: phones lose their position for up to a quarter of a lap, and then report too low a speed and far too
 * small an error.
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
