import type { Progress } from '../circuits/progressMatcher.ts'

/** Distance between the places that are remembered. */
const placeEveryM = 20

/** Weights of a faster and of a slower pass: a lap in traffic is not the usual one. */
const fasterShare = 0.5
const slowerShare = 0.1

/** Weights of the newest pass in the usual line, and of its deviation in the spread. */
const besideShare = 0.25
const deviationShare = 0.01

/** Larger deviations count as this one: they are passes through the pits. */
const largestDeviationM = 8

/** The spread of normal deviations, as a multiple of their mean. */
const spreadPerMean = 1.25

/** The usual speed and the usual line of a car at each place of a circuit. */
export class UsualPasses {
  /** Metres a second at each place; 0 where unknown. */
  readonly #speeds: Float32Array
  /** Metres to the right of the outline. */
  readonly #besideM: Float32Array
  readonly #everyM: number
  #deviationM = 0
  #speedSum = 0
  #places = 0

  constructor(lengthM: number) {
    const count = Math.max(8, Math.round(lengthM / placeEveryM))
    this.#everyM = lengthM / count
    this.#speeds = new Float32Array(count)
    this.#besideM = new Float32Array(count)
  }

  /** Adds a pass from one place to the next. Passes of more than a quarter of a lap show nothing. */
  add(fromM: number, { alongM, besideM, fix: { speedMps } }: Progress) {
    const first = Math.floor(fromM / this.#everyM)
    const last = Math.floor(alongM / this.#everyM)
    if (last - first > this.#speeds.length / 4) return
    for (let place = first + 1; place <= last; place++) {
      const index = this.#around(place)
      const known = this.#speeds[index] as number
      if (known === 0) {
        this.#speeds[index] = speedMps
        this.#besideM[index] = besideM
        this.#speedSum += speedMps
        this.#places += 1
        continue
      }
      const share = speedMps > known ? fasterShare : slowerShare
      this.#speeds[index] = known + (speedMps - known) * share
      const asideM = besideM - (this.#besideM[index] as number)
      this.#besideM[index] = (this.#besideM[index] as number) + asideM * besideShare
      this.#deviationM +=
        (Math.min(largestDeviationM, Math.abs(asideM)) - this.#deviationM) * deviationShare
    }
  }

  /** The usual speed at a place, or the mean of the known places; 0 without any. */
  speedAt(alongM: number): number {
    const known = this.#speeds[this.#indexAt(alongM)] as number
    return known === 0 && this.#places > 0 ? this.#speedSum / this.#places : known
  }

  /** Returns the usual time between two places. */
  usualMs(fromM: number, toM: number): number {
    let seconds = 0
    for (let atM = fromM; atM < toM; atM += this.#everyM) {
      seconds += Math.min(this.#everyM, toM - atM) / Math.max(1, this.speedAt(atM))
    }
    return seconds * 1000
  }

  /** Distance from the usual line. */
  asideM({ alongM, besideM }: Progress): number {
    return Math.abs(besideM - (this.#besideM[this.#indexAt(alongM)] as number))
  }

  /** Standard deviation of the distance from the usual line. */
  get spreadM(): number {
    return this.#deviationM * spreadPerMean
  }

  #indexAt(alongM: number): number {
    return this.#around(Math.floor(alongM / this.#everyM))
  }

  #around(place: number): number {
    const count = this.#speeds.length
    return ((place % count) + count) % count
  }
}
