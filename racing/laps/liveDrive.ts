import type { CircuitSource, FoundCircuit } from '../circuits/foundCircuit.ts'
import type { RacingFix } from '../fix.ts'
import { type Delta, type DeltaReference, deltaIn } from './delta.ts'
import { LapTimer, type TimedLap } from './lapTimer.ts'
import { Passes } from './passes.ts'
import { type PitStop, Stops } from './stops.ts'

/** Fixes kept because the circuit may still change: more than a circuit is learned from. */
const mostKept = 6000

/**
 * Times a drive for its driver: laps, the delta, and each crossing of the line before its lap is certain.
 *
 * When the circuit changes, all fixes are timed again, in steps, so that a screen is not blocked. Until then laps are
 * those of the previous circuit. The result does not depend on how the steps are divided.
 */
export class LiveDrive {
  #source: CircuitSource | null
  #fixes: RacingFix[] = []
  #stops = new Stops()
  /** Null while the circuit is not known. */
  #timing: Timing | null
  /** Takes the place of `#timing` once it has reached the newest fix. */
  #next: { readonly timing: Timing | null; index: number } | null = null

  /** Without a source nothing is timed, but fixes are kept for a later one. */
  constructor(source: CircuitSource | null) {
    this.#source = source
    this.#timing = timingOn(source)
  }

  get laps(): readonly TimedLap[] {
    return this.#timing?.timer.laps ?? []
  }

  /** In order of time; the last one has no end while the car is in the pits. */
  get pitStops(): readonly PitStop[] {
    const { timer, circuit } = this.#timing ?? {}
    return this.#stops.in(timer?.pitVisits ?? [], circuit?.pitLane !== undefined)
  }

  /** True if the receiver is too poor for lap times: laps are counted, times are approximate. */
  get isPoor(): boolean {
    return this.#timing?.timer.isPoor ?? false
  }

  /** When the car crossed the line last, with the first fix after it; null if it did not since the start. */
  get crossedAtMs(): number | null {
    return this.#timing?.passes.line.at(-1)?.atMs ?? null
  }

  /** Time of the newest fix; null without any. */
  get newestAtMs(): number | null {
    return this.#fixes.at(-1)?.atMs ?? null
  }

  /** True while fixes have to be timed again: see `catchUp`. */
  get isBehind(): boolean {
    return this.#next !== null
  }

  /** Adds the next fix in order of time. Ignores one that is not newer than the last one. */
  add(fix: RacingFix) {
    if (fix.atMs <= (this.newestAtMs ?? Number.NEGATIVE_INFINITY)) return
    this.#fixes.push(fix)
    this.#stops.add(fix)
    if (this.#fixes.length > mostKept && !this.#next) this.#fixes = this.#fixes.slice(-mostKept / 2)
    if (!this.#next && this.#source?.add(fix))
      this.#next = { timing: timingOn(this.#source), index: 0 }
    this.#timing?.add(fix)
  }

  /** Times the drive on other circuits, from its start; with other fixes, if their times were wrong. */
  retime(source: CircuitSource | null, fixes?: readonly RacingFix[]) {
    if (fixes) {
      this.#fixes = [...fixes]
      this.#stops = new Stops()
      for (const fix of fixes) this.#stops.add(fix)
    }
    this.#source = source
    this.#next = { timing: timingOn(this.#source), index: 0 }
  }

  /** Times at most this many fixes again. */
  catchUp(most: number) {
    for (let count = 0; count < most && this.#next; count++) this.#step(this.#next)
  }

  /** Compares the lap that began at `sinceMs`, at the last point that the car passed in it. */
  deltaIn(sinceMs: number, reference: DeltaReference): Delta | null {
    return this.#timing && deltaIn(this.#timing.passes, sinceMs, reference)
  }

  #step(next: { readonly timing: Timing | null; index: number }) {
    const fix = this.#fixes[next.index]
    if (!fix) {
      this.#timing = next.timing
      this.#next = null
    } else if (this.#source?.add(fix)) {
      this.#next = { timing: timingOn(this.#source), index: 0 }
    } else {
      next.timing?.add(fix)
      next.index += 1
    }
  }
}

function timingOn(source: CircuitSource | null): Timing | null {
  return source?.found ? new Timing(source.found) : null
}

/** The laps of a drive on one circuit. */
class Timing {
  readonly circuit: FoundCircuit
  readonly timer: LapTimer
  readonly passes: Passes

  constructor(circuit: FoundCircuit) {
    this.circuit = circuit
    this.timer = new LapTimer(circuit)
    this.passes = new Passes(circuit)
  }

  add(fix: RacingFix) {
    this.timer.add(fix)
    this.passes.add(fix)
    if (this.passes.pointCount > 0) return
    const lap = this.timer.laps.at(-1)
    if (lap?.kind === 'full' && lap.isSeen) this.passes.choosePoints(lap)
  }
}
