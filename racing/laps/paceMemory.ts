import type { Progress } from './progressMatcher.ts'

/** Distance between the places whose pace is remembered. */
const placeEveryM = 20

/** A fix this far from the outline, with so wide a claim, or after so long a gap does not show where the car is. */
const farthestM = 25
const widestClaimM = 20
const longestGapMs = 2500

/** Successive fixes that must agree with the outline before they are trusted. */
const agreeingFixes = 3

/** The newest pace at a place counts this much. */
const newestShare = 0.5

/**
 * The usual pace at each place of a circuit, learned from fixes that agree with the outline. It estimates when a car
 * passed a place while its receiver was wrong: phones lose their position for a quarter of a lap, read too low a
 * speed then, and claim far too small an error.
 */
export class PaceMemory {
  /** Seconds per metre at each place; 0 where unknown. */
  readonly #paces: Float64Array
  readonly #everyM: number
  #agreeing = 0
  #trusted: Progress | null = null

  constructor(lengthM: number) {
    const count = Math.max(8, Math.round(lengthM / placeEveryM))
    this.#everyM = lengthM / count
    this.#paces = new Float64Array(count)
  }

  /** The last place that was certain; null before the first one. */
  get trusted(): Progress | null {
    return this.#trusted
  }

  /** Adds the next place of the car. Returns true if it is certain. */
  add(before: Progress, progress: Progress): boolean {
    const forMs = progress.fix.atMs - before.fix.atMs
    const agrees =
      progress.offM <= farthestM &&
      (progress.fix.accuracyM ?? 0) <= widestClaimM &&
      forMs < longestGapMs
    this.#agreeing = agrees ? this.#agreeing + 1 : 0
    if (this.#agreeing < agreeingFixes) return false
    this.#learn(before, progress)
    this.#trusted = progress
    return true
  }

  /** Forgets the car's place; the paces stay. */
  lose() {
    this.#agreeing = 0
    this.#trusted = null
  }

  /** When a car that was at both places passed `lineM` between them, at its usual pace. */
  timeAt(lineM: number, from: Progress, to: Progress): number {
    let beforeS = 0
    let wholeS = 0
    for (let atM = from.alongM; atM < to.alongM; atM += this.#everyM / 4) {
      const seconds = this.#paceAt(atM)
      wholeS += seconds
      if (atM < lineM) beforeS += seconds
    }
    const share = wholeS > 0 ? beforeS / wholeS : 0.5
    return from.fix.atMs + share * (to.fix.atMs - from.fix.atMs)
  }

  #learn(before: Progress, { alongM, fix }: Progress) {
    const wayM = alongM - before.alongM
    if (wayM < 1) return
    const pace = (fix.atMs - before.fix.atMs) / 1000 / wayM
    const last = Math.floor(alongM / this.#everyM)
    for (let place = Math.floor(before.alongM / this.#everyM); place <= last; place++) {
      const index = this.#around(place)
      const known = this.#paces[index] as number
      this.#paces[index] = known === 0 ? pace : known + (pace - known) * newestShare
    }
  }

  #paceAt(alongM: number): number {
    const known = this.#paces[this.#around(Math.floor(alongM / this.#everyM))] as number
    return known === 0 ? this.#meanPace() : known
  }

  #meanPace(): number {
    const known = this.#paces.filter(pace => pace > 0)
    return known.reduce((sum, pace) => sum + pace, 0) / Math.max(1, known.length)
  }

  #around(place: number): number {
    const count = this.#paces.length
    return ((place % count) + count) % count
  }
}
