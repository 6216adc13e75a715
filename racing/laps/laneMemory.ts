import { upperMedian } from '../circuits/accuracy.ts'
import type { PitLane } from '../circuits/outline.ts'

/** A learned beginning or end is the median of up to this many visits that are this close to each other. */
const learnedVisits = 9
const withinM = 150

/** The pit lane as it was given, or as earlier visits showed it. Places are in metres from the line. */
export class LaneMemory {
  readonly #lengthM: number
  readonly #given: PitLane | undefined
  readonly #inM: number[]
  readonly #outM: number[]
  readonly #mps: number[] = []

  constructor(lengthM: number, given: PitLane | undefined) {
    this.#lengthM = lengthM
    this.#given = given
    this.#inM = given ? [given.inM] : []
    this.#outM = given ? [given.outM] : []
  }

  /** Adds a visit, with the speed above which the car was not in the pit lane. */
  learn({ inM, outM, pitMps }: { inM: number | undefined; outM: number; pitMps: number }) {
    remember(this.#mps, pitMps)
    if (this.#given) return
    if (inM !== undefined) remember(this.#inM, inM)
    remember(this.#outM, outM)
  }

  get lane(): PitLane | undefined {
    const inM = this.#inM.at(-1)
    const outM = this.#outM.at(-1)
    return inM === undefined || outM === undefined ? undefined : { inM, outM }
  }

  /** Above this speed a car is not in the pit lane; 0 before the first visit that shows where the lane is. */
  get pitMps(): number {
    return (this.lane && upperMedian(this.#mps)) ?? 0
  }

  /** Returns the known beginning of the lane near a place of the path, or that place. */
  beginningNear(alongM: number): number {
    return this.#near(this.#inM, alongM)
  }

  /** Returns the known end of the lane near a place of the path, or that place. */
  endNear(alongM: number): number {
    return this.#near(this.#outM, alongM)
  }

  #near(placesM: readonly number[], alongM: number): number {
    const half = this.#lengthM / 2
    const offsM = placesM
      .map(placeM => forwardM(this.#lengthM, alongM - half, placeM) - half)
      .filter(offM => this.#given || Math.abs(offM) <= withinM)
      .toSorted((one, other) => one - other)
    // Takes the earlier of two: cars speed up late rather than early.
    return alongM + (offsM[(offsM.length - 1) >> 1] ?? 0)
  }
}

function remember(values: number[], value: number) {
  values.push(value)
  if (values.length > learnedVisits) values.shift()
}

/** Returns the distance from one place to another in driving direction: from 0 to just under a lap. */
export function forwardM(lengthM: number, fromM: number, toM: number): number {
  return (((toM - fromM) % lengthM) + lengthM) % lengthM
}
