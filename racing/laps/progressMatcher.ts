import { pointAtProgress, type Track } from '#contract/shared/track.ts'
import type { PlacedFix } from '../fix.ts'
import { type Driven, Odometer } from './odometer.ts'

/** The place of a car on the circuit when a fix was taken. */
export interface Progress {
  readonly fix: PlacedFix
  /** Metres driven along the outline: one lap more for each turn. Counted from the start of an arbitrary lap. */
  readonly alongM: number
  /** The same place, counted from start/finish in steps of about 10 m. */
  readonly place: number
  /** Distance between the fix and that place of the outline. */
  readonly offM: number
  /** Distance of the fix from the outline: positive to the right of it. */
  readonly besideM: number
  /** Metres by the odometer since the previous one, and their standard deviation. */
  readonly drivenM: number
  readonly spreadM: number
}

/** Distance between the places of the outline that a car may be at. */
const placeEveryM = 10

/** Standard deviation of a step for the distance between the places. */
const placeSpreadM = 6

/** Largest standard deviation of a step, as a share of a lap: with it, the car may be anywhere. */
const largestSpread = 1 / 8

/** Least spread of positions, whatever the receiver claims. */
const leastPositionSpreadM = 8

/** A fix counts at most this much, so that single wild ones change nothing. */
const worstFixCost = 12

/** Beam width: paths that cost this much more than the best one are dropped. */
const beamCost = 30

/**
 * After this many fixes away from the best path, the car may be anywhere on the circuit, at this cost. It finds a
 * path again that a receiver's error of 100 m had made it drop.
 */
const lostFixes = 3
const restartCost = 24
const awayM = 60

/** Distances beyond this many spreads are not considered. */
const reachSpreads = 4

/** Shortest time between two matched fixes: receivers with a higher rate add no information here. */
const matchEveryMs = 450

/** Number of later fixes after which a place is final. */
const lagFixes = 10

/** One matched fix: the likeliest earlier place for each place. */
interface Step {
  readonly fix: PlacedFix
  readonly drivenM: number
  readonly spreadM: number
  readonly first: number
  readonly from: Int32Array
}

/**
 * Follows a car along an outline: the most likely path, given its odometer and its positions (the Viterbi
 * algorithm over places every 10 m, with a fixed lag). A parallel straight or a pit road does not mislead it.
 */
export class ProgressMatcher {
  readonly #eastM: Float64Array
  readonly #northM: Float64Array
  readonly #everyM: number
  readonly #odometer: Odometer
  #steps: Step[] = []
  /** Cost of the best path to each place, from place `#first` on. Places are counted on through all laps. */
  #costs = new Float64Array(0)
  #first = 0
  #matchedAtMs = Number.NEGATIVE_INFINITY
  #awayFixes = 0
  #alongM: number | null = null

  constructor(track: Track) {
    const count = Math.max(8, Math.round(track.lengthM / placeEveryM))
    this.#everyM = track.lengthM / count
    this.#odometer = new Odometer(track.lengthM)
    const places = Array.from({ length: count }, (_, place) =>
      pointAtProgress(track, place / count),
    )
    this.#eastM = Float64Array.from(places, ({ eastM }) => eastM)
    this.#northM = Float64Array.from(places, ({ northM }) => northM)
  }

  /** Number of places along the outline. */
  get placeCount(): number {
    return this.#eastM.length
  }

  /** Adds a fix of a moving car; fixes are in order of time. Returns the next final place, if there is one. */
  add(fix: PlacedFix): Progress | null {
    this.#odometer.drive(fix)
    if (fix.atMs - this.#matchedAtMs < matchEveryMs) return null
    this.#matchedAtMs = fix.atMs
    this.#match(fix)
    return this.#steps.length > lagFixes ? this.#takeOldest() : null
  }

  /** Adds a fix of a standing car. */
  park(fix: PlacedFix) {
    this.#odometer.park(fix)
  }

  /** Returns the remaining places; afterwards nothing is known of the car's place. */
  finish(): Progress[] {
    const rest: Progress[] = []
    while (this.#steps.length > 0) rest.push(this.#takeOldest())
    this.#costs = new Float64Array(0)
    this.#odometer.reset()
    this.#awayFixes = 0
    this.#alongM = null
    return rest
  }

  #match(fix: PlacedFix) {
    const driven = this.#odometer.take()
    if (this.#costs.length === 0) {
      this.#costs = Float64Array.from(this.#eastM, (_, place) => this.#costOf(fix, place))
      this.#first = 0
      this.#steps.push({ fix, ...driven, first: 0, from: new Int32Array(0) })
      return
    }
    if (this.#awayFixes >= lostFixes) this.#openCircuit()
    const { costs, from, first } = this.#transitions(driven)
    for (let index = 0; index < costs.length; index++) {
      if (costs[index] === Number.POSITIVE_INFINITY) continue
      costs[index] = (costs[index] as number) + this.#costOf(fix, first + index)
    }
    this.#keepBest(costs, { fix, ...driven, first, from })
  }

  /** The cheapest way to each place within reach, from the places so far. */
  #transitions({ drivenM, spreadM: odometerM }: Driven) {
    const every = this.#everyM
    const spreadM = Math.min(placeSpreadM + odometerM, largestSpread * every * this.#eastM.length)
    const nearest = Math.floor((drivenM - reachSpreads * spreadM) / every)
    const farthest = Math.ceil((drivenM + reachSpreads * spreadM) / every)
    const costs = new Float64Array(this.#costs.length + farthest - nearest).fill(
      Number.POSITIVE_INFINITY,
    )
    const from = new Int32Array(costs.length)
    const stepCosts = Float64Array.from(
      { length: farthest - nearest + 1 },
      (_, index) => ((nearest + index) * every - drivenM) ** 2 / (2 * spreadM ** 2),
    )
    for (let source = 0; source < this.#costs.length; source++) {
      const sourceCost = this.#costs[source] as number
      if (sourceCost === Number.POSITIVE_INFINITY) continue
      for (let step = 0; step < stepCosts.length; step++) {
        const cost = sourceCost + (stepCosts[step] as number)
        if (cost >= (costs[source + step] as number)) continue
        costs[source + step] = cost
        from[source + step] = this.#first + source
      }
    }
    return { costs, from, first: this.#first + nearest }
  }

  /** Admits every place of the circuit, half a lap either way of the best one. */
  #openCircuit() {
    const count = this.#eastM.length
    const best = this.#first + indexOfLeast(this.#costs)
    const first = Math.min(this.#first, best - (count >> 1))
    const last = Math.max(this.#first + this.#costs.length, best - (count >> 1) + count)
    const step = this.#steps.at(-1) as Step
    const costs = new Float64Array(last - first).fill(restartCost)
    const from = new Int32Array(last - first)
    for (let index = 0; index < costs.length; index++) {
      const known = this.#costs[first + index - this.#first]
      const stays = known !== undefined && known <= restartCost
      if (stays) costs[index] = known
      from[index] =
        (stays ? step.from[first + index - step.first] : step.from[best - step.first]) ?? 0
    }
    this.#costs = costs
    this.#first = first
    if (step.from.length > 0) this.#steps[this.#steps.length - 1] = { ...step, first, from }
  }

  /** Drops unlikely places, and counts costs from the best one. */
  #keepBest(costs: Float64Array, { fix, drivenM, spreadM, first, from }: Step) {
    const best = costs[indexOfLeast(costs)] as number
    let start = 0
    let end = costs.length
    while (start < end && (costs[start] as number) > best + beamCost) start++
    while (end > start && (costs[end - 1] as number) > best + beamCost) end--
    this.#costs = costs.slice(start, end).map(cost => {
      return cost - best > beamCost ? Number.POSITIVE_INFINITY : cost - best
    })
    this.#first = first + start
    this.#steps.push({ fix, drivenM, spreadM, first: this.#first, from: from.slice(start, end) })
    const offM = this.#offM(fix, this.#first + indexOfLeast(this.#costs))
    const awayFromM = Math.max(awayM, reachSpreads * (fix.accuracyM ?? 0))
    this.#awayFixes = offM > awayFromM ? this.#awayFixes + 1 : 0
  }

  /** How little a fix agrees with a place: half the squared distance in spreads. */
  #costOf(fix: PlacedFix, place: number): number {
    const spreadM = Math.max(leastPositionSpreadM, fix.accuracyM ?? 0)
    return Math.min(worstFixCost, this.#offM(fix, place) ** 2 / (2 * spreadM ** 2))
  }

  #offM({ eastM, northM }: PlacedFix, place: number): number {
    const index = this.#around(place)
    return Math.hypot(
      eastM - (this.#eastM[index] as number),
      northM - (this.#northM[index] as number),
    )
  }

  /** How far a fix is ahead of a place and to the right of it, by the direction of the road there. */
  #offsetM({ eastM, northM }: PlacedFix, place: number): { aheadM: number; besideM: number } {
    const [before, here, after] = [
      this.#around(place - 1),
      this.#around(place),
      this.#around(place + 1),
    ]
    const wayEastM = (this.#eastM[after] as number) - (this.#eastM[before] as number)
    const wayNorthM = (this.#northM[after] as number) - (this.#northM[before] as number)
    const offEastM = eastM - (this.#eastM[here] as number)
    const offNorthM = northM - (this.#northM[here] as number)
    const wayM = Math.hypot(wayEastM, wayNorthM)
    return {
      aheadM: (offEastM * wayEastM + offNorthM * wayNorthM) / wayM,
      besideM: (offEastM * wayNorthM - offNorthM * wayEastM) / wayM,
    }
  }

  #around(place: number): number {
    const count = this.#eastM.length
    return ((place % count) + count) % count
  }

  /** The places that are not final yet, as they look now. */
  pending(): Progress[] {
    const places = this.#bestPath()
    return this.#steps.map((step, index) => this.#progressAt(step, places[index] as number))
  }

  /** Removes the oldest step. */
  #takeOldest(): Progress {
    const [place = 0] = this.#bestPath()
    const step = this.#steps.shift() as Step
    const alongM = place * this.#everyM
    if (this.#alongM !== null) this.#odometer.calibrate(step.drivenM, alongM - this.#alongM)
    this.#alongM = alongM
    return this.#progressAt(step, place)
  }

  /** The places of all steps on the best path. */
  #bestPath(): number[] {
    const places: number[] = []
    let place = this.#first + indexOfLeast(this.#costs)
    for (let index = this.#steps.length - 1; index >= 0; index--) {
      places[index] = place
      const { first, from } = this.#steps[index] as Step
      place = from[place - first] as number
    }
    return places
  }

  #progressAt({ fix, drivenM, spreadM }: Step, place: number): Progress {
    const { aheadM, besideM } = this.#offsetM(fix, place)
    const withinM = Math.max(-this.#everyM, Math.min(this.#everyM, aheadM))
    return {
      fix,
      alongM: place * this.#everyM + withinM,
      place: this.#around(place),
      offM: this.#offM(fix, place),
      besideM,
      drivenM,
      spreadM,
    }
  }
}

function indexOfLeast(values: Float64Array): number {
  let least = 0
  for (let index = 1; index < values.length; index++) {
    if ((values[index] as number) < (values[least] as number)) least = index
  }
  return least
}
