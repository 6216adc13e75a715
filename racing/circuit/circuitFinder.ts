import type { Circuit } from '#contract/circuits/circuit.ts'
import { circuits } from '#contract/circuits/circuits.ts'
import { distanceM, type Position } from '#contract/shared/geo.ts'
import { nearestOnTrack } from '#contract/shared/track.ts'
import type { RacingFix } from '../fix.ts'
import { type CircuitChoice, type GivenCircuit, timedCircuit } from './givenCircuit.ts'
import { type LearnedCircuit, learnCircuit } from './learn.ts'
import { circuitFrom, type TimedCircuit } from './outline.ts'

/** The circuit of a drive. */
export interface FoundCircuit extends TimedCircuit {
  /** One of the shipped circuits; null if it was given or learned. */
  readonly shipped: Circuit | null
  /** One of the given circuits; null if it is a shipped one or was learned. */
  readonly given: GivenCircuit | null
  /** How it was learned; null if it was not. */
  readonly learned: LearnedCircuit | null
  readonly outline: readonly Position[]
}

/** Slower fixes do not show where a car races. */
const fastMps = 30 / 3.6

/** A car is on a known circuit after this way within this distance (or the receiver's claim) of its outline. */
const onCircuitForM = 1500
const besideOutlineM = 60

/** After a gap of this length the way is not counted. */
const longestGapMs = 10_000

/** A circuit is learned from fixes at least this far apart in time, and from fewer of a standing car. */
const learnEveryMs = 450
const learnStandingEveryMs = 30_000
const standingMps = 1

/** It is learned after the first number of fixes, and again after each growth by half, which keeps the cost linear. */
const firstLearnedFixes = 60
const growth = 1.5

/** Learning ends after this many whole laps, or fixes: a drive of an hour without a closed lap is on no circuit. */
export const finalLaps = 5
const maxLearnedFixes = 4000

/**
 * Finds the circuit of a drive: a given one, a shipped one, or the one that the car drives. Depends only on the fixes in order of
 * time, so that the same fixes always give the same circuit.
 */
export class CircuitFinder {
  readonly #known: readonly FoundCircuit[]
  /** Metres driven on each known circuit without leaving it. */
  readonly #onCircuitM: number[]
  #found: FoundCircuit | null = null
  #isFinal = false
  #lastMs = Number.NEGATIVE_INFINITY
  #lastFast: RacingFix | null = null
  #learned: RacingFix[] = []
  #learnAt = firstLearnedFixes
  /** The line of the first learned outline: a better outline must not move it. */
  #line: Position | undefined

  /** Throws RangeError if the outline of a given circuit has fewer than three positions. */
  constructor({ circuits: given = [], fixed }: CircuitChoice = {}) {
    this.#known = fixed ? [] : [...given.map(foundGiven), ...circuits.map(foundShipped)]
    this.#onCircuitM = this.#known.map(() => 0)
    if (!fixed) return
    this.#found = foundGiven(fixed)
    this.#end()
  }

  /** Null while the circuit is not known. */
  get found(): FoundCircuit | null {
    return this.#found
  }

  /** Adds a fix, and returns whether the circuit changed. Ignores fixes that are not newer than the last one. */
  add(fix: RacingFix): boolean {
    if (this.#isFinal || fix.atMs <= this.#lastMs) return false
    this.#lastMs = fix.atMs
    return this.#matchKnown(fix) || this.#learn(fix)
  }

  #matchKnown(fix: RacingFix): boolean {
    if ((fix.speedMps ?? 0) < fastMps) return false
    const last = this.#lastFast
    this.#lastFast = fix
    const isGap = !last || fix.atMs - last.atMs > longestGapMs
    const wayM = isGap ? 0 : distanceM(last, fix)
    const withinM = Math.max(besideOutlineM, fix.accuracyM ?? 0)
    for (const [index, { track }] of this.#known.entries()) {
      const isOn = nearestOnTrack(track, fix).offM <= withinM
      this.#onCircuitM[index] = isOn ? (this.#onCircuitM[index] ?? 0) + wayM : 0
    }
    const index = this.#onCircuitM.findIndex(drivenM => drivenM >= onCircuitForM)
    const found = this.#known[index]
    if (!found) return false
    this.#found = found
    this.#end()
    return true
  }

  #learn(fix: RacingFix): boolean {
    const everyMs = (fix.speedMps ?? fastMps) < standingMps ? learnStandingEveryMs : learnEveryMs
    const last = this.#learned.at(-1)
    if (last && fix.atMs - last.atMs < everyMs) return false
    this.#learned.push(fix)
    if (this.#learned.length < this.#learnAt) return false
    this.#learnAt = Math.ceil(this.#learned.length * growth)
    const learned = learnCircuit(this.#learned)
    const isFull = this.#learned.length >= maxLearnedFixes / growth
    if (isFull || (learned && learned.laps >= finalLaps)) this.#end()
    if (!learned) return false
    const { outline } = learned
    this.#line ??= outline[0]
    this.#found = {
      ...circuitFrom(outline, this.#line),
      shipped: null,
      given: null,
      learned,
      outline,
    }
    return true
  }

  #end() {
    this.#isFinal = true
    this.#learned = []
  }
}

function foundGiven(given: GivenCircuit): FoundCircuit {
  return { ...timedCircuit(given), shipped: null, given, learned: null, outline: given.outline }
}

function foundShipped(shipped: Circuit): FoundCircuit {
  const { outline, startFinish } = shipped
  return { ...circuitFrom(outline, startFinish), shipped, given: null, learned: null, outline }
}
