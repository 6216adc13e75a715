import type { CircuitSource, FoundCircuit } from '../circuit/foundCircuit.ts'
import type { RacingFix } from '../fix.ts'
import type { PitVisit } from '../pits/pitTracker.ts'
import { LapTimer, type TimedLap } from './lapTimer.ts'

/**
 * Times the laps of a drive on the circuit that its source finds. Its laps depend only on the added fixes: it does not
 * matter in how many portions they were added.
 */
export class DriveTimer {
  readonly #source: CircuitSource
  #timer: LapTimer | null = null

  constructor(source: CircuitSource) {
    this.#source = source
    if (source.found) this.#timer = new LapTimer(source.found)
  }

  /** Null while the circuit is not known: there are no laps then. */
  get circuit(): FoundCircuit | null {
    return this.#source.found
  }

  get laps(): readonly TimedLap[] {
    return this.#timer?.laps ?? []
  }

  /** In order of time; the last one has no end while the car is in the pits. */
  get pitVisits(): readonly PitVisit[] {
    return this.#timer?.pitVisits ?? []
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
    if (this.#source.add(fix) && this.#source.found) {
      this.#timer = new LapTimer(this.#source.found)
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
