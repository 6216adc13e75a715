import { circuits } from '#contract/circuits/circuits.ts'
import { type Position, planeAround } from '#contract/shared/geo.ts'
import type { RacingFix } from '../fix.ts'
import { type FoundCircuit, foundGiven, foundShipped } from './foundCircuit.ts'
import type { CircuitChoice, LearnCircuit } from './givenCircuit.ts'
import { KnownCircuit } from './knownCircuit.ts'
import type { LearnedCircuit } from './learn.ts'
import { circuitFrom } from './outline.ts'

/** Slower fixes do not show where a car races. */
const fastMps = 30 / 3.6

/** A car is on a known circuit after this distance and half a lap, or after a whole lap; it is certain a bit later. */
const onCircuitForM = 1500
const onCircuitLaps = 0.5
const certainLaps = 1.1

/** The distance over a gap of this length is not counted. */
const longestGapMs = 10_000

/** A circuit is learned from fixes at least this far apart in time, and from fewer of a standing car. */
const learnEveryMs = 450
const learnStandingEveryMs = 30_000
const standingMps = 1

/** It is learned after the first number of fixes, and again after each growth by half, which keeps the cost linear. */
const firstLearnedFixes = 60
const growth = 1.5

/** Steps of learning for each fix, so that none of them blocks the process. */
const stepsPerFix = 3

/** Learning ends after this many whole laps, or fixes: a drive of an hour without a closed lap is on no circuit. */
export const finalLaps = 5
const maxLearnedFixes = 4000

/**
 * Finds the circuit of a drive: a given one, a shipped one, or the one that the car drives. Depends only on the fixes
 * in order of time, so that the same fixes always give the same circuit.
 */
export class CircuitFinder {
  #known: KnownCircuit[] = []
  readonly #learn: LearnCircuit | null
  #found: FoundCircuit | null = null
  #isFinal = false
  #lastMs = Number.NEGATIVE_INFINITY
  #lastFast: RacingFix | null = null
  #learned: RacingFix[] = []
  #learnAt = firstLearnedFixes
  #learning: ReturnType<LearnCircuit> | null = null
  /** The line of the first learned outline: a better outline must not move it. */
  #line: Position | undefined

  /** Throws RangeError if the outline of a given circuit has fewer than three positions. */
  constructor(choice: CircuitChoice) {
    const isFixed = 'fixed' in choice
    this.#learn = isFixed ? null : choice.learn
    const given = (isFixed ? [choice.fixed] : (choice.circuits ?? [])).map(foundGiven)
    if (isFixed) this.#found = given[0] ?? null
    const found = isFixed ? given : [...given, ...circuits.map(foundShipped)]
    this.#known = found.map(each => new KnownCircuit(each))
  }

  /** Null while the circuit is not known. */
  get found(): FoundCircuit | null {
    return this.#found
  }

  /** Adds a fix, and returns whether the circuit changed. Ignores fixes that are not newer than the last one. */
  add(fix: RacingFix): boolean {
    if (this.#isFinal || fix.atMs <= this.#lastMs) return false
    this.#lastMs = fix.atMs
    return this.#matchKnown(fix) || (this.#learn !== null && this.#collect(fix, this.#learn))
  }

  #matchKnown(fix: RacingFix): boolean {
    const last = this.#lastFast
    const forMs = last ? fix.atMs - last.atMs : 0
    const { eastM, northM } = planeAround(last ?? fix).toPoint(fix)
    const wayM = Math.hypot(eastM, northM)
    if ((fix.speedMps ?? (wayM / forMs) * 1000) < fastMps) return false
    this.#lastFast = fix
    for (const circuit of this.#known) circuit.drive(fix, forMs > longestGapMs ? 0 : wayM)
    const best = this.#bestKnown()
    if (!best) return false
    const { circuit } = best
    if (best.drivenM >= certainLaps * best.lengthM) this.#end()
    if (circuit === this.#found) return false
    this.#found = circuit
    return true
  }

  /** The circuit on which the car has driven for long enough, unless it may still be on another one. */
  #bestKnown(): KnownCircuit | undefined {
    const driven = this.#known.filter(({ drivenM }) => drivenM > 0)
    const furthestM = Math.max(0, ...driven.map(({ drivenM }) => drivenM))
    const likely = driven.filter(({ drivenM }) => drivenM >= furthestM / 2)
    const best = likely.find(({ isForward }) => isForward) ?? likely[0]
    if (!best) return undefined
    const leastM = Math.max(onCircuitForM, onCircuitLaps * best.lengthM)
    if (best.drivenM < Math.min(leastM, best.lengthM)) return undefined
    // Layouts that share a road: the car leaves one of them, or has been round the longer one.
    const longestM = Math.max(...likely.map(({ lengthM }) => lengthM))
    const isClear = best.drivenM >= longestM || likely.every(other => other.isLike(best))
    return isClear ? best : undefined
  }

  #collect(fix: RacingFix, learn: LearnCircuit): boolean {
    const everyMs = (fix.speedMps ?? fastMps) < standingMps ? learnStandingEveryMs : learnEveryMs
    const last = this.#learned.at(-1)
    if (!last || fix.atMs - last.atMs >= everyMs) this.#learned.push(fix)
    if (!this.#learning && this.#learned.length >= this.#learnAt) {
      this.#learnAt = Math.ceil(this.#learned.length * growth)
      this.#learning = learn([...this.#learned])
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
      if (isFull) this.#end()
      return false
    }
    const { outline } = learned
    this.#line ??= outline[0]
    const found = {
      ...circuitFrom(outline, this.#line),
      shipped: null,
      given: null,
      learned,
      outline,
    }
    const known = this.#known.find(({ circuit }) => circuit === this.#found)
    // The car drives on a known circuit, and has only been in its pits.
    if (known?.isLike(new KnownCircuit(found))) {
      this.#end()
      return false
    }
    if (isFull || learned.laps >= finalLaps) this.#end()
    this.#known = []
    this.#found = found
    return true
  }

  #end() {
    this.#isFinal = true
    this.#known = []
    this.#learned = []
    this.#learning = null
  }
}
