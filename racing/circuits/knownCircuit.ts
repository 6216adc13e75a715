import { greatestOf } from '#contract/shared/extremes.ts'
import { lengthOf } from '#contract/shared/geo.ts'
import { nearestOnTrack } from '#contract/shared/track.ts'
import type { RacingFix } from '../fix.ts'
import { type FoundCircuit, reversed } from './foundCircuit.ts'

/** A car is on a circuit within this distance (or the reported accuracy) of its outline. */
const besideOutlineM = 60

/** The circuit and its direction are certain after this many laps. */
const certainLaps = 1.1

/** Outlines with the same middle are of the same circuit if their lengths differ by less than this share. */
const sameLength = 0.03

/** A known circuit, and how far a car has driven on it without leaving it. */
export class KnownCircuit {
  readonly #circuit: FoundCircuit
  #reversed: FoundCircuit | null = null
  readonly lengthM: number
  readonly #reachM: number
  #drivenM = 0
  /** Metres driven in its direction, less those against it. */
  #forwardM = 0
  #alongM: number | null = null

  constructor(circuit: FoundCircuit) {
    this.#circuit = circuit
    this.lengthM = circuit.track.lengthM
    this.#reachM = greatestOf(
      circuit.track.points.map(({ eastM, northM }) => lengthOf(eastM, northM)),
    )
  }

  get drivenM(): number {
    return this.#drivenM
  }

  /** True once the car does not leave the circuit any more, and has not changed its direction. */
  get isCertain(): boolean {
    return this.#drivenM >= certainLaps * this.lengthM
  }

  get isForward(): boolean {
    return this.#forwardM >= 0
  }

  /** The circuit, in the direction of the car. */
  get circuit(): FoundCircuit {
    if (this.isForward) return this.#circuit
    this.#reversed ??= reversed(this.#circuit)
    return this.#reversed
  }

  /** Adds the distance that the car drove to this fix. */
  drive(fix: RacingFix, wayM: number) {
    const { track } = this.#circuit
    const withinM = Math.max(besideOutlineM, fix.accuracyM ?? 0)
    const { eastM, northM } = track.plane.toPoint(fix)
    const isNear = lengthOf(eastM, northM) <= this.#reachM + withinM
    const spot = isNear ? nearestOnTrack(track, fix) : null
    if (!spot || spot.offM > withinM) {
      this.#drivenM = 0
      this.#forwardM = 0
      this.#alongM = null
      return
    }
    this.#drivenM += wayM
    const stepM = spot.alongM - (this.#alongM ?? spot.alongM)
    // Longer steps cross the line, or jump to another part of the circuit nearby.
    if (Math.abs(stepM) <= 2 * wayM) this.#forwardM += stepM
    this.#alongM = spot.alongM
  }

  /** True if both are the same circuit, perhaps with another line or in the other direction. */
  isLike({ circuit: { track }, lengthM }: KnownCircuit): boolean {
    const middle = track.plane.toPosition({ eastM: 0, northM: 0 })
    const { eastM, northM } = this.#circuit.track.plane.toPoint(middle)
    const isSameLength = Math.abs(lengthM / this.lengthM - 1) <= sameLength
    return isSameLength && lengthOf(eastM, northM) <= besideOutlineM
  }
}
