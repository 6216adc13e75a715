import { CircuitFinder, type FoundCircuit } from '../circuit/circuitFinder.ts'
import type { RacingFix } from '../fix.ts'
import { type Lap, LapTimer } from './lapTimer.ts'

/**
 * Times the laps of a drive whose circuit is not known at first. Its laps depend only on the added fixes: it does not
 * matter in how many portions they were added.
 */
export class DriveTimer {
  readonly #finder = new CircuitFinder()
  #timer: LapTimer | null = null

  /** Null while the circuit is not known: there are no laps then. */
  get circuit(): FoundCircuit | null {
    return this.#finder.found
  }

  get laps(): readonly Lap[] {
    return this.#timer?.laps ?? []
  }

  /** True if the receiver is too poor for lap times: laps are counted, times are approximate. */
  get isPoor(): boolean {
    return this.#timer?.isPoor ?? false
  }

  /**
   * Adds the next fix in order of time. Returns false if the circuit changed with it: then all fixes must be added
   * again, from the first one on.
   */
  add(fix: RacingFix): boolean {
    if (this.#finder.add(fix) && this.#finder.found) {
      this.#timer = new LapTimer(this.#finder.found)
      return false
    }
    this.#timer?.add(fix)
    return true
  }

  /** Ends the drive: the last part of a lap becomes one of its own. */
  finish() {
    this.#timer?.finish()
  }
}
