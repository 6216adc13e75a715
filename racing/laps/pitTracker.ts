import type { PitLane, TimedCircuit } from '../circuits/outline.ts'
import type { Progress } from '../circuits/progressMatcher.ts'
import { forwardM, LaneMemory } from './laneMemory.ts'
import {
  type Edge,
  passing,
  pitSpeedMps,
  type Sample,
  type Signs,
  slowedDown,
  spedUp,
} from './pitEdges.ts'
import type { UsualPasses } from './usualPasses.ts'

/**
 * A visit to the pits, from pit-in to pit-out: the beginning and the end of the pit lane, as given or learned, else
 * where the car slowed down and sped up.
 */
export interface PitVisit {
  readonly startedAtMs: number
  /** Null while the car is in the pits, or if the drive ended there. */
  readonly endedAtMs: number | null
}

/** A car in the pit lane is slower than this share of its usual speed. */
const slowShare = 0.6

/** A car that is found again faster than this, and than that share, is not in the pit lane. */
const foundMps = 90 / 3.6

/** It is beside its usual line by more than this, the reported accuracy, and this many spreads (up to a limit). */
const besideM = 10
const besideSpreads = 3
const besideSpreadsM = 14

/** A fix less accurate than this does not show that a car is beside that line. */
const doubtfulAccuracyM = 15

/** Driving there takes this much longer than usual. Phones without a position read too low a speed at full pace. */
const leastDelay = 1.25

/** A visit lasts at least this long beside the line, over this distance, or includes a stop of this length. */
const besideMs = 5000
const besideWayM = 50
export const pitStopMs = 20_000

/**
 * A visit ends this far after its last sign if the car has sped up, and after the second distance in any case: at the
 * latest after `longestLaneShare` of a lap, since a lap on a short circuit is shorter than both.
 */
const quietM = 250
const slowQuietM = 800

/** Distance kept before the signs, to find where the pit lane began. */
const keptM = 500

/** The box may be this far from the lane, with the receiver's error. */
const aroundLaneM = 100

/** No pit lane is longer than this share of a lap. */
const longestLaneShare = 0.5

/** Finds visits to the pits: slow passes beside the outline, and long stops. */
export class PitTracker {
  readonly #lengthM: number
  readonly #given: PitLane | undefined
  readonly #usual: UsualPasses
  #visits: readonly PitVisit[] = []
  /** The visit that has begun, as far as it is known. */
  #open: PitVisit | null = null
  #all: readonly PitVisit[] = []
  readonly #lane: LaneMemory
  /** The newest part of the path. */
  #way: Sample[] = []
  #signs: Signs | null = null
  #isPoor = false
  /** Beginning of the visit in which the path was lost, or in which it was found again. */
  #lostSinceMs: number | null = null

  constructor({ track: { lengthM }, pitLane }: TimedCircuit, usual: UsualPasses) {
    this.#lengthM = lengthM
    this.#given = pitLane
    this.#usual = usual
    this.#lane = new LaneMemory(lengthM, pitLane)
  }

  /** The same list until a visit changes. */
  get visits(): readonly PitVisit[] {
    return this.#all
  }

  /** Adds the car's next place. A poor receiver shows only stops. */
  add(progress: Progress, isPoor: boolean) {
    this.#isPoor = isPoor
    const last = this.#way.at(-1)
    const sample = this.#sampleOf(progress)
    this.#way.push(sample)
    if (this.#isSign(sample, last)) this.#signs = withSign(this.#signs, this.#way.length - 1)
    const first = this.#signs && this.#way[this.#signs.first]
    if (!this.#signs || !first) {
      const fromM = sample.alongM - this.#keptM()
      while ((this.#way[0] ?? sample).alongM < fromM) this.#way.shift()
      return
    }
    // A car that is slow for a whole lap is not in the pits. No more of its path is kept.
    const isLap = sample.alongM - first.alongM > this.#lengthM
    if (isLap || this.#hasEnded(sample, this.#signs)) this.#close(this.#signs)
    else this.#preview(this.#way, this.#signs)
  }

  /** True while the car may be in the pits. */
  get hasSigns(): boolean {
    return this.#signs !== null
  }

  /**
   * Shows the stop of a car at its newest place, with the standing time of its drive. One that was found again there,
   * already stopped, has a visit from then on if it is at the pits.
   */
  stand(stoodMs: number, isFound: boolean) {
    const last = this.#way.at(-1)
    if (!last) return
    if (isFound && this.#isAround(last.alongM)) this.#lostSinceMs ??= last.atMs
    const way = [...this.#way, { ...last, stoodMs }]
    this.#preview(way, withSign(this.#signs, way.length - 1))
  }

  /** Ends the path. A visit continues until the car is found again. */
  lose() {
    if (this.#signs) this.#preview(this.#way, this.#signs)
    this.#lostSinceMs = this.#open?.startedAtMs ?? this.#lostSinceMs
    this.#way = []
    this.#signs = null
  }

  #sampleOf(progress: Progress): Sample {
    const { alongM, fix, stoodMs } = progress
    const { atMs, speedMps } = fix
    const asideM = this.#usual.asideM(progress)
    const spreadsM = Math.min(besideSpreadsM, besideSpreads * this.#usual.spreadM)
    const leastM = Math.max(besideM, fix.accuracyM ?? 0, spreadsM)
    const isKnown = !this.#isPoor && (fix.accuracyM ?? 0) < doubtfulAccuracyM
    const isBeside = isKnown && asideM > leastM && speedMps < this.#slowMps(alongM)
    return { atMs, alongM, speedMps, stoodMs, isBeside }
  }

  /** Returns the speed below which a car beside the circuit is in the pits. */
  #slowMps(alongM: number): number {
    const mps = slowShare * this.#usual.speedAt(alongM)
    // In a slow corner the car usually drives at the speed of the pit lane.
    if (this.#signs) return Math.max(mps, pitSpeedMps(this.#way, this.#signs))
    return this.#isAround(alongM) ? Math.max(mps, this.#lane.pitMps) : mps
  }

  #isSign(sample: Sample, last: Sample | undefined): boolean {
    return sample.isBeside || (last ? sample.stoodMs > last.stoodMs : this.#lostSinceMs !== null)
  }

  /** Returns the distance to keep before the signs, with the length of a given pit lane. */
  #keptM(): number {
    return keptM + (this.#given ? this.#forwardM(this.#given.inM, this.#given.outM) : 0)
  }

  #forwardM(fromM: number, toM: number): number {
    return forwardM(this.#lengthM, fromM, toM)
  }

  /**
   * True if a visit with these signs has ended: the car is found again at full pace, has sped up past the known end of the
   * lane, or has driven on for long enough, also past the end of a given lane.
   */
  #hasEnded({ alongM, speedMps }: Sample, signs: Signs): boolean {
    const isFound = this.#lostSinceMs !== null && this.#way.length === 1
    const usualMps = slowShare * this.#usual.speedAt(alongM)
    if (isFound && speedMps > Math.max(foundMps, usualMps, this.#lane.pitMps)) return true
    const last = this.#way[signs.last] as Sample
    const quiet = alongM - last.alongM
    const outM = this.#given ? this.#forwardM(last.alongM, this.#given.outM) : 0
    const longestM = longestLaneShare * this.#lengthM
    const leastM = this.#hasPassedEnd(alongM, signs) ? 0 : Math.min(quietM, longestM)
    if (quiet <= leastM || (outM < longestM && quiet <= outM)) return false
    const isQuiet = quiet > Math.min(slowQuietM, longestM)
    return isQuiet || spedUp(this.#way, signs, this.#pitMps(this.#way, signs)) !== null
  }

  /** True if the known end of the lane is behind the car, and was ahead of its first sign. */
  #hasPassedEnd(alongM: number, { first }: Signs): boolean {
    const { lane } = this.#lane
    const sinceM = alongM - (this.#way[first] as Sample).alongM
    return lane !== undefined && this.#forwardM(lane.outM, alongM) <= sinceM
  }

  /** Shows a visit that has not ended yet. */
  #preview(way: readonly Sample[], signs: Signs) {
    if (this.#open || !this.#isVisit(way, signs)) return
    const start = this.#startOf(way, signs)
    if (!start) return
    this.#open = { startedAtMs: start.atMs, endedAtMs: null }
    this.#all = [...this.#visits, this.#open]
  }

  #close(signs: Signs) {
    const way = this.#way
    const start = this.#isVisit(way, signs) && this.#startOf(way, signs)
    const end = start && this.#endOf(way, signs)
    this.#signs = null
    this.#open = null
    this.#lostSinceMs = null
    if (end && end.atMs > start.atMs)
      this.#visits = [...this.#visits, { startedAtMs: start.atMs, endedAtMs: end.atMs }]
    this.#all = this.#visits
  }

  #isVisit(way: readonly Sample[], signs: Signs): boolean {
    if (this.#lostSinceMs !== null) return true
    const { first, last } = signs
    const wayM = (way[last] as Sample).alongM - (way[first] as Sample).alongM
    const stood = (way[last] as Sample).stoodMs - ((way[first - 1] ?? way[first]) as Sample).stoodMs
    const hasStopped = stood >= pitStopMs
    // On its first lap a car is beside the line also where it is not in the pits.
    if (wayM > longestLaneShare * this.#lengthM && !hasStopped) return false
    const isBeside = this.#wasBeside(way, signs)
    if (isBeside && !this.#given) return true
    // Once the pit lane is known, a stop elsewhere on the circuit does not count as a visit.
    return (isBeside || hasStopped) && this.#isIn(way, signs)
  }

  /** True if the car was slow beside its usual line for long enough. */
  #wasBeside(way: readonly Sample[], { first, last }: Signs): boolean {
    let ms = 0
    let wayM = 0
    let usualMs = 0
    for (let index = Math.max(1, first); index <= last; index++) {
      const from = way[index - 1] as Sample
      const to = way[index] as Sample
      if (!to.isBeside || !from.isBeside) continue
      ms += to.atMs - from.atMs - (to.stoodMs - from.stoodMs)
      wayM += to.alongM - from.alongM
      usualMs += this.#usual.usualMs(from.alongM, to.alongM)
    }
    return ms >= besideMs && wayM >= besideWayM && ms >= leastDelay * usualMs
  }

  #isIn(way: readonly Sample[], { first, last }: Signs): boolean {
    return way.slice(first, last + 1).some(({ alongM }) => this.#isAround(alongM))
  }

  /** True if the pit lane may be at this place: anywhere before it is known. */
  #isAround(alongM: number): boolean {
    const { lane } = this.#lane
    if (!lane) return true
    const laneM = this.#forwardM(lane.inM, lane.outM) + 2 * aroundLaneM
    return this.#forwardM(lane.inM - aroundLaneM, alongM) <= laneM
  }

  /** Above this speed the car is not in the pit lane. */
  #pitMps(way: readonly Sample[], signs: Signs): number {
    const { pitMps } = this.#lane
    return pitMps > 0 && this.#isIn(way, signs) ? pitMps : pitSpeedMps(way, signs)
  }

  /** Returns pit-in; for a visit in which the path was lost, its beginning before that. Null if it is not known. */
  #startOf(way: readonly Sample[], signs: Signs): Edge | null {
    if (this.#lostSinceMs !== null) return { atMs: this.#lostSinceMs, alongM: 0 }
    const own = slowedDown(way, signs, this.#pitMps(way, signs))
    return own && (passing(way, this.#lane.beginningNear(own.alongM), false) ?? own)
  }

  /** Returns pit-out, and learns the lane from the visit. */
  #endOf(way: readonly Sample[], signs: Signs): Edge {
    const pitMps = this.#pitMps(way, signs)
    const own = spedUp(way, signs, pitMps) ?? (way[signs.last] as Sample)
    if (this.#wasBeside(way, signs)) {
      const inM = slowedDown(way, signs, pitMps)?.alongM
      this.#lane.learn({ inM, outM: own.alongM, pitMps: pitSpeedMps(way, signs) })
    }
    return passing(way, this.#lane.endNear(own.alongM), true) ?? own
  }
}

function withSign(signs: Signs | null, index: number): Signs {
  return { first: signs?.first ?? index, last: index }
}
