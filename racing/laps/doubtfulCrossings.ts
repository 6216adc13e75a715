import type { Crossing } from './crossing.ts'
import { PaceMemory } from './paceMemory.ts'
import type { Progress } from './progressMatcher.ts'

/** A crossing of the matched path, at which the receiver was wrong. */
interface Doubtful {
  readonly crossing: Crossing
  /** Where the line is, in metres along the path. */
  readonly lineM: number
  /** Metres driven in the lap up to the crossing. */
  readonly wayM: number
}

interface Held extends Doubtful {
  /** The last certain place before it, and how long the car had stood by then since the start of the drive. */
  readonly from: Progress
  readonly stoodMs: number
}

/** Times crossings at which the receiver was wrong, once the place of the car is certain again. */
export class DoubtfulCrossings {
  readonly #paces: PaceMemory
  #held: Held | null = null
  /** Standing time of the drive up to the last certain place. */
  #stoodMs = 0

  constructor(lengthM: number) {
    this.#paces = new PaceMemory(lengthM)
  }

  /** Adds the next place of the car, which has stood for so long in all. Returns true if the place is certain. */
  add(before: Progress, progress: Progress, stoodMs: number): boolean {
    const isCertain = this.#paces.add(before, progress)
    // A held crossing still needs the time of the place before it.
    if (isCertain) this.#stoodMs = stoodMs
    return isCertain
  }

  /** Holds a crossing back. Returns false if no place of its lap, which began at `sinceMs`, was certain. */
  hold(doubtful: Doubtful, sinceMs: number): boolean {
    const from = this.#paces.trusted
    if (!from || from.fix.atMs <= sinceMs) return false
    this.#held = { ...doubtful, from, stoodMs: this.#stoodMs }
    return true
  }

  /**
   * Returns the crossing that was held back, if any, timed by the usual pace between the last certain place and this
   * one. Without one, or if the car stood in between, the time of the matched path remains.
   */
  release(certain: Progress | null, stoodMs: number): Pick<Doubtful, 'crossing' | 'wayM'> | null {
    const held = this.#held
    if (!held) return null
    this.#held = null
    const { crossing, from, lineM, wayM } = held
    if (!certain || stoodMs !== held.stoodMs) return { crossing, wayM }
    const atMs = this.#paces.timeAt(lineM, from, certain)
    const gapMs = certain.fix.atMs - from.fix.atMs
    return { crossing: { ...crossing, atMs, gapMs }, wayM }
  }

  /** Forgets the car's place; the paces stay. */
  lose() {
    this.#held = null
    this.#paces.lose()
  }
}
