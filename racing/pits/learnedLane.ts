import type { PitLane } from '../circuit/outline.ts'
import { median } from '../laps/accuracy.ts'

/** A learned beginning or end is the median of up to this many visits that are this close to each other. */
const learnedVisits = 9
const withinM = 150

/** The pit lane as earlier visits showed it. Places are in metres from the line. */
export class LearnedLane {
  readonly #lengthM: number
  readonly #inM: number[] = []
  readonly #outM: number[] = []
  readonly #mps: number[] = []

  constructor(lengthM: number) {
    this.#lengthM = lengthM
  }

  /** Adds a visit, with the speed above which the car was not in the pit lane. */
  learn({ inM, outM, pitMps }: { inM: number | undefined; outM: number; pitMps: number }) {
    if (inM !== undefined) remember(this.#inM, inM)
    remember(this.#outM, outM)
    remember(this.#mps, pitMps)
  }

  get lane(): PitLane | undefined {
    const inM = this.#inM.at(-1)
    const outM = this.#outM.at(-1)
    return inM === undefined || outM === undefined ? undefined : { inM, outM }
  }

  /** Above this speed a car is not in the pit lane; 0 before the first visit. */
  get pitMps(): number {
    return median(this.#mps) ?? 0
  }

  /** Where the lane begins, if a visit showed that it is near a place; otherwise that place. */
  beginningNear(alongM: number): number {
    return alongM + this.#offsetM(this.#inM, alongM)
  }

  /** Where the lane ends, if a visit showed that it is near a place; otherwise that place. */
  endNear(alongM: number): number {
    return alongM + this.#offsetM(this.#outM, alongM)
  }

  #offsetM(placesM: readonly number[], alongM: number): number {
    const offsM = placesM
      .map(placeM => aheadM(this.#lengthM, alongM, placeM))
      .filter(offM => Math.abs(offM) <= withinM)
      .toSorted((one, other) => one - other)
    // Of two, the earlier one: cars speed up late rather than early.
    return offsM[(offsM.length - 1) >> 1] ?? 0
  }
}

function remember(values: number[], value: number) {
  values.push(value)
  if (values.length > learnedVisits) values.shift()
}

/** Way from one place of the lap to another in driving direction: from 0 to just under a lap. */
export function forwardM(lengthM: number, fromM: number, toM: number): number {
  return (((toM - fromM) % lengthM) + lengthM) % lengthM
}

/** How far a place of the lap is ahead of another: from minus to plus half a lap. */
export function aheadM(lengthM: number, fromM: number, toM: number): number {
  return forwardM(lengthM, fromM - lengthM / 2, toM) - lengthM / 2
}
