import type { Circuit } from '#contract/shared/circuits/circuit.ts'
import { circuits } from '#contract/shared/circuits/shippedCircuits.ts'
import { distanceM, type Position } from '#contract/shared/geo.ts'
import { nearestOnTrack, trackOf } from '#contract/shared/track.ts'
import { fastMps, type RacingFix } from '../fix.ts'
import { memoized } from '../memoized.ts'
import { type CircuitSource, type FoundCircuit, foundGiven, mostChanges } from './foundCircuit.ts'
import type { GivenCircuit } from './givenCircuit.ts'
import { KnownCircuit } from './knownCircuit.ts'
import { KnownCircuits } from './knownCircuits.ts'
import { type LearnedCircuit, learnSteps, stillMps } from './learn.ts'
import { circuitFrom } from './outline.ts'

/**
 * Intervals of the fixes that learning uses, while the car drives, while it is within `learnEveryM` of the fix before, and
 * while it is stopped: the first fix of each. The server may keep only 2, 5 or 10 positions a second of a recording. These
 * give the same circuit. More fixes of a slow car would fill the memory before it has driven three laps.
 */
const learnEveryMs = 500
const learnEveryM = 6
const learnNearEveryMs = 1000
const learnStandingEveryMs = 30_000

/** Learning runs after this many fixes, and again whenever their number has grown by half: the cost stays linear. */
const firstLearnedFixes = 60
const growth = 1.5

/** Steps of learning for each fix, so that none of them blocks the process. */
const stepsPerFix = 3

/** Learning ends after this many whole laps, or with this many fixes. */
export const finalLaps = 5
const maxLearnedFixes = 4000

/**
 * Fixes without a closed lap are probably from the road to the circuit: their older half is dropped, at most this many
 * times. After that, about four hours of driving, the search ends: the car is not on a circuit.
 */
const mostForgotten = 16

/** A recorded line farther from the outline than this is that of another circuit. */
const farthestLineM = 100

/**
 * Finds the circuit of a drive: a given one, a shipped one, or the one that the car drives. The same fixes always give
 * the same circuit.
 */
export class CircuitFinder implements CircuitSource {
  #known: KnownCircuits
  #found: FoundCircuit | null = null
  #changes = 0
  #isFinal = false
  #lastMs = Number.NEGATIVE_INFINITY
  #learned: RacingFix[] = []
  #learnAt = firstLearnedFixes
  #learning: ReturnType<typeof learnSteps> | null = null
  /** The line of the first learned outline: a better outline must not move it. */
  #line: Position | undefined
  readonly #recordedLine: Position | null
  #forgotten = 0

  /**
   * Given circuits are found before shipped ones. A learned circuit has the line of the recording, if that is on it.
   * Throws RangeError if the outline of a given one has fewer than three positions.
   */
  constructor(given: readonly GivenCircuit[] = [], recordedLine: Position | null = null) {
    this.#recordedLine = recordedLine
    this.#known = new KnownCircuits([...given.map(foundGiven), ...circuits.map(foundShipped)])
  }

  get found(): FoundCircuit | null {
    return this.#found
  }

  add(fix: RacingFix): boolean {
    if (this.#isFinal || fix.atMs <= this.#lastMs) return false
    this.#lastMs = fix.atMs
    const known = this.#known.drive(fix)
    if (known?.isCertain) this.#end()
    if (known && known.circuit !== this.#found) {
      this.#found = known.circuit
      this.#changes += 1
      if (this.#changes >= mostChanges) this.#end()
      return true
    }
    return !this.#isFinal && this.#collect(fix)
  }

  /**
   * Ends the search after the drive. Its last fixes may close a lap: returns true if a circuit was found with them. Takes
   * some tenths of a second.
   */
  finish(): boolean {
    const steps = this.finishSteps()
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
    }
  }

  /** Does the same as `finish` in steps of about a millisecond each. */
  *finishSteps(): Generator<undefined, boolean, undefined> {
    const isOpen = !this.#found && !this.#isFinal
    const learned = isOpen ? yield* learnSteps(this.#learned) : null
    const isFound = learned !== null && this.#useLearned(learned)
    this.#end()
    return isFound
  }

  #collect(fix: RacingFix): boolean {
    const last = this.#learned.at(-1)
    const isNear = last && distanceM(last, fix) < learnEveryM
    const drivingEveryMs = isNear ? learnNearEveryMs : learnEveryMs
    const everyMs = (fix.speedMps ?? fastMps) < stillMps ? learnStandingEveryMs : drivingEveryMs
    if (!last || Math.floor(fix.atMs / everyMs) > Math.floor(last.atMs / everyMs))
      this.#learned.push(fix)
    if (!this.#learning && this.#learned.length >= this.#learnAt) {
      this.#learnAt = Math.ceil(this.#learned.length * growth)
      this.#learning = learnSteps([...this.#learned])
    }
    for (let step = 0; this.#learning && step < stepsPerFix; step++) {
      const { done, value } = this.#learning.next()
      if (done) return this.#useLearned(value)
    }
    return false
  }

  #useLearned(learned: LearnedCircuit | null): boolean {
    this.#learning = null
    const isFull = this.#learned.length >= maxLearnedFixes / growth
    if (!learned) {
      if (isFull) this.#forgetHalf()
      return false
    }
    const { outline } = learned
    this.#line ??= this.#recordedLineOn(outline) ?? learned.line
    const isLineRecorded = this.#line === this.#recordedLine
    const found = {
      ...circuitFrom(outline, this.#line),
      shipped: null,
      given: null,
      learned,
      outline,
      isLineRecorded,
    }
    // A known circuit was found, and the learned one is the same: the car had only been in the pits.
    if (this.#known.of(this.#found)?.isLike(new KnownCircuit(found))) {
      this.#end()
      return false
    }
    if (isFull || learned.laps >= finalLaps) this.#end()
    this.#known = new KnownCircuits([])
    this.#found = found
    return true
  }

  #recordedLineOn(outline: readonly Position[]): Position | null {
    const line = this.#recordedLine
    return line && nearestOnTrack(trackOf(outline), line).offM <= farthestLineM ? line : null
  }

  #forgetHalf() {
    this.#forgotten += 1
    if (this.#forgotten > mostForgotten) return this.#end()
    this.#learned = this.#learned.slice(this.#learned.length >> 1)
    this.#learnAt = Math.ceil(this.#learned.length * growth)
  }

  #end() {
    this.#isFinal = true
    this.#known = new KnownCircuits([])
    this.#learned = []
    this.#learning = null
  }
}

const foundShipped = memoized((shipped: Circuit): FoundCircuit => {
  const { outline, startFinish } = shipped
  return { ...circuitFrom(outline, startFinish), shipped, given: null, learned: null, outline }
})
