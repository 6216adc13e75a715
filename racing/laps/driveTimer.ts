import {
  type LapTimingStop,
  maxSessionLaps,
  maxSessionVisits,
  shortestLapMs,
} from '#contract/shared/lapTimingStops.ts'
import type { CircuitSource, FoundCircuit } from '../circuits/foundCircuit.ts'
import type { TimedCircuit } from '../circuits/outline.ts'
import type { RacingFix } from '../fix.ts'
import { LapTimer, type TimedLap } from './lapTimer.ts'
import type { Moves } from './moves.ts'
import type { MovesTracker } from './movesTracker.ts'
import type { PitVisit } from './pitTracker.ts'

/** Whole laps that are too short are ignored up to this number: a receiver's jump may give one. */
const toleratedShortLaps = 2

/**
 * Times the laps of a drive on the circuit that its source finds. Its laps depend only on the added fixes: it does not
 * matter in how many portions they were added.
 */
export class DriveTimer {
  readonly #source: CircuitSource
  readonly #createMoves: ((circuit: TimedCircuit) => MovesTracker) | undefined
  #moves: MovesTracker | undefined
  #timer: LapTimer | null = null
  #stopped: LapTimingStop | null = null
  /** Laps that were compared with the shortest one. */
  #checkedLaps = 0
  #shortLaps = 0

  /** `createMoves`: without it nothing is found but laps and visits, which is all that a phone needs. */
  constructor(source: CircuitSource, createMoves?: (circuit: TimedCircuit) => MovesTracker) {
    this.#source = source
    this.#createMoves = createMoves
    if (source.found) this.#start(source.found)
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

  /** How the phone moved; null while the circuit is not known. */
  get moves(): Moves | null {
    return this.#moves?.movesIn(this.pitVisits) ?? null
  }

  /** True if the receiver is too poor for lap times: laps are counted, times are approximate. */
  get isPoor(): boolean {
    return this.#timer?.isPoor ?? false
  }

  /** Why no more laps are timed: what the drive contains is no race. Null while they are. */
  get stopped(): LapTimingStop | null {
    return this.#stopped
  }

  /**
   * Adds the next fix in order of time. Returns false if the circuit changed with it: then all fixes must be added
   * again, from the first one on.
   */
  add(fix: RacingFix): boolean {
    if (this.#stopped) return true
    if (this.#source.add(fix) && this.#source.found) {
      this.#start(this.#source.found)
      this.#checkedLaps = 0
      this.#shortLaps = 0
      return false
    }
    this.#timer?.add(fix)
    this.#check()
    return true
  }

  /** Ends the drive: the last part of a lap becomes one of its own. */
  finish() {
    if (this.#stopped) return
    this.#timer?.finish()
    this.#check()
  }

  #start(circuit: FoundCircuit) {
    this.#moves = this.#createMoves?.(circuit)
    this.#timer = new LapTimer(circuit, this.#moves)
  }

  #check() {
    const { laps, pitVisits } = this
    for (const { kind, timeMs } of laps.slice(this.#checkedLaps))
      if (kind === 'full' && timeMs < shortestLapMs) this.#shortLaps += 1
    this.#checkedLaps = laps.length
    if (this.#shortLaps > toleratedShortLaps) this.#stopped = 'laps-too-short'
    else if (laps.length >= maxSessionLaps) this.#stopped = 'too-many-laps'
    else if (pitVisits.length >= maxSessionVisits) this.#stopped = 'too-many-visits'
  }
}
