import type { RacingFix } from '../fix.ts'
import { type CircuitSource, type FoundCircuit, foundGiven, mostChanges } from './foundCircuit.ts'
import type { GivenCircuit } from './givenCircuit.ts'
import { KnownCircuits } from './knownCircuits.ts'

/** The only circuit of a drive, known from the first fix on, in the car's direction. */
export class FixedCircuit implements CircuitSource {
  readonly #known: KnownCircuits
  #found: FoundCircuit
  #isCertain = false
  #changes = 0
  #lastMs = Number.NEGATIVE_INFINITY

  /** Throws RangeError if the outline has fewer than three positions. */
  constructor(circuit: GivenCircuit) {
    this.#found = foundGiven(circuit)
    this.#known = new KnownCircuits([this.#found])
  }

  get found(): FoundCircuit {
    return this.#found
  }

  add(fix: RacingFix): boolean {
    if (this.#isCertain || fix.atMs <= this.#lastMs) return false
    this.#lastMs = fix.atMs
    const known = this.#known.drive(fix)
    if (!known) return false
    this.#isCertain = known.isCertain
    if (known.circuit === this.#found) return false
    this.#changes += 1
    if (this.#changes >= mostChanges) this.#isCertain = true
    this.#found = known.circuit
    return true
  }
}
