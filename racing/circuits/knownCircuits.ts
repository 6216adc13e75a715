import { greatestOf } from '#contract/shared/extremes.ts'
import { lengthOf, planeAround } from '#contract/shared/geo.ts'
import { fastMps, type RacingFix } from '../fix.ts'
import type { FoundCircuit } from './foundCircuit.ts'
import { KnownCircuit } from './knownCircuit.ts'

/** A car is on a known circuit after this distance and half a lap, or after a whole lap. */
const onCircuitForM = 1500
const onCircuitLaps = 0.5

/** The distance over a gap of this length is not counted. */
const longestGapMs = 10_000

/** Circuits on which a car may be driving. Follows the car until one of them is certain. */
export class KnownCircuits {
  readonly #all: readonly KnownCircuit[]
  #lastFast: RacingFix | null = null

  constructor(circuits: readonly FoundCircuit[]) {
    this.#all = circuits.map(circuit => new KnownCircuit(circuit))
  }

  /**
   * Adds the next fix in order of time. Returns the circuit on which the car has driven for long enough, unless it may
   * still be on another one.
   */
  drive(fix: RacingFix): KnownCircuit | undefined {
    const last = this.#lastFast
    const forMs = last ? fix.atMs - last.atMs : 0
    const { eastM, northM } = planeAround(last ?? fix).toPoint(fix)
    const wayM = lengthOf(eastM, northM)
    if ((fix.speedMps ?? (wayM / forMs) * 1000) < fastMps) return undefined
    this.#lastFast = fix
    for (const circuit of this.#all) circuit.drive(fix, forMs > longestGapMs ? 0 : wayM)
    return this.#best()
  }

  /** Returns one of these circuits with its state; undefined for any other circuit. */
  of(circuit: FoundCircuit | null): KnownCircuit | undefined {
    return this.#all.find(known => known.circuit === circuit)
  }

  #best(): KnownCircuit | undefined {
    const driven = this.#all.filter(({ drivenM }) => drivenM > 0)
    const furthestM = Math.max(0, greatestOf(driven.map(({ drivenM }) => drivenM)))
    const likely = driven.filter(({ drivenM }) => drivenM >= furthestM / 2)
    const best = likely.find(({ isForward }) => isForward) ?? likely[0]
    if (!best) return undefined
    const leastM = Math.max(onCircuitForM, onCircuitLaps * best.lengthM)
    if (best.drivenM < Math.min(leastM, best.lengthM)) return undefined
    // Two layouts may share a road: wait until the car leaves one of them, or completes the longer one.
    const longestM = greatestOf(likely.map(({ lengthM }) => lengthM))
    const isClear = best.drivenM >= longestM || likely.every(other => other.isLike(best))
    return isClear ? best : undefined
  }
}
