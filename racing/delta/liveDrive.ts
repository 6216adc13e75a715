import type { CircuitChoice } from '../circuit/givenCircuit.ts'
import { learnSteps } from '../circuit/learn.ts'
import type { RacingFix } from '../fix.ts'
import { DriveTimer } from '../laps/driveTimer.ts'
import type { Lap } from '../laps/lapTimer.ts'
import { type PitStop, Stops } from '../pits/stops.ts'
import { type Delta, type DeltaReference, deltaIn } from './delta.ts'
import { Passes } from './passes.ts'

/** Fixes kept because the circuit may still change: more than a circuit is learned from. */
const mostKept = 6000

/** Times a drive for its driver: laps, the delta, and each crossing of the line before its lap is certain. */
export class LiveDrive {
  readonly #timer: DriveTimer
  #fixes: RacingFix[] = []
  #passes: Passes | null = null
  readonly #stops = new Stops()

  /** See `DriveTimer`. */
  constructor(choice: CircuitChoice = { learn: learnSteps }) {
    this.#timer = new DriveTimer(choice)
    this.#startPasses()
  }

  /** Times the same drive again on other circuits. */
  on(choice: CircuitChoice | undefined): LiveDrive {
    const drive = new LiveDrive(choice)
    for (const fix of this.#fixes) drive.add(fix)
    return drive
  }

  get laps(): readonly Lap[] {
    return this.#timer.laps
  }

  /** In order of time; the last one has no end while the car is in the pits. */
  get pitStops(): readonly PitStop[] {
    return this.#stops.in(this.#timer.pitVisits)
  }

  /** True if the receiver is too poor for lap times: laps are counted, times are approximate. */
  get isPoor(): boolean {
    return this.#timer.isPoor
  }

  /** When the car crossed the line last, with the first fix after it; null if it did not since the start. */
  get crossedAtMs(): number | null {
    return this.#passes?.line.at(-1)?.atMs ?? null
  }

  /** Time of the newest fix; null without any. */
  get newestAtMs(): number | null {
    return this.#fixes.at(-1)?.atMs ?? null
  }

  /** Adds the next fix in order of time. Ignores one that is not newer than the last one. */
  add(fix: RacingFix) {
    if (fix.atMs <= (this.newestAtMs ?? Number.NEGATIVE_INFINITY)) return
    this.#fixes.push(fix)
    this.#stops.add(fix)
    if (this.#fixes.length > mostKept) this.#fixes = this.#fixes.slice(-mostKept / 2)
    if (this.#follow(fix)) return
    // The circuit changed: the drive is timed again from its start.
    for (let index = 0; index < this.#fixes.length; index++)
      if (!this.#follow(this.#fixes[index] as RacingFix)) index = -1
  }

  /** Compares the lap that began at `sinceMs`, at the last point that the car passed in it. */
  deltaIn(sinceMs: number, reference: DeltaReference): Delta | null {
    return this.#passes && deltaIn(this.#passes, sinceMs, reference)
  }

  #follow(fix: RacingFix): boolean {
    if (!this.#timer.add(fix)) {
      this.#startPasses()
      return false
    }
    this.#passes?.add(fix)
    const lap = this.laps.at(-1)
    if (lap?.kind === 'full' && lap.isSeen) this.#passes?.choosePoints(lap)
    return true
  }

  #startPasses() {
    const { circuit } = this.#timer
    this.#passes = circuit && new Passes(circuit)
  }
}
