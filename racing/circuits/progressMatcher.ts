import { lengthOf } from '#contract/shared/geo.ts'
import { pointAtProgress, type Track } from '#contract/shared/track.ts'
import type { PlacedFix } from '../fix.ts'
import { memoized } from '../memoized.ts'
import { Odometer } from './odometer.ts'

/** The place of a car on the circuit when a fix was taken. */
export interface Progress {
  readonly fix: PlacedFix
  /** Metres driven along the outline: one lap more for each turn. Counted from the start of an arbitrary lap. */
  readonly alongM: number
  /** Distance between the fix and that place of the outline. */
  readonly offM: number
  /** Distance of the fix from the outline: positive to the right of it. */
  readonly besideM: number
  /** Metres by the odometer since the previous one, and their standard deviation. */
  readonly drivenM: number
  readonly spreadM: number
  /** Standing time of the drive up to the fix. */
  readonly stoodMs: number
}

/** Distance between the places of the outline that a car may be at. */
const placeEveryM = 10

/** Standard deviation of a step for the distance between the places. */
const placeSpreadM = 6

/** Largest standard deviation of a step, as a share of a lap: with it, the car may be anywhere. */
const largestSpread = 1 / 8

/** Least spread of positions, even if the receiver reports a better accuracy. */
const leastPositionSpreadM = 8

/** Limits the cost of a fix, so that outliers do not change the path. */
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

/** Above this number of moves, as in a long gap on a long lap, only moves from the best place are tried: 0.2 ms. */
const mostMoves = 100_000

/** Shortest time between two matched fixes: receivers with a higher rate add no information here. */
const matchEveryMs = 450

/** Number of later fixes after which a place is final at the latest. */
const lagFixes = 10

/**
 * It is final before, once all likely paths agree within this distance there, the car has driven on this far, and all
 * fixes since are this close to the path: a receiver that fails reports too low a speed, too.
 */
const agreeingM = 30
const drivenOnM = 30
const closeM = 40

/** One matched fix: the likeliest earlier place for each place. */
interface Step {
  readonly fix: PlacedFix
  readonly drivenM: number
  readonly spreadM: number
  readonly stoodMs: number
  readonly first: number
  readonly from: number[]
}

// Work space of the running match. All matchers share it, because new lists for each match would be a large part of
// what a server with 1,000 cars allocates. They grow to the length of the longest circuit.
const costs: number[] = []
const from: number[] = []
const moveCosts: number[] = []

/** Returns places all around an outline at equal distances: metres east and north of each, one after the other. */
const placesOf = memoized((track: Track): Float64Array => {
  const count = Math.max(8, Math.round(track.lengthM / placeEveryM))
  const places = Array.from({ length: count }, (_, place) => pointAtProgress(track, place / count))
  return Float64Array.from(places.flatMap(({ eastM, northM }) => [eastM, northM]))
})

/**
 * Follows a car along an outline: the most likely path, given its odometer and its positions (the Viterbi
 * algorithm over places every 10 m, with a fixed lag). A parallel straight or a pit road does not mislead it.
 */
export class ProgressMatcher {
  readonly #placesM: Float64Array
  readonly #placeCount: number
  readonly #everyM: number
  readonly #odometer: Odometer
  #steps: Step[] = []
  /** The list of a removed step, reused by the next one: new lists would be a third of all allocated memory. */
  #unused: number[] = []
  /** The place of each step on the best path, as of the last `#followBack`. */
  #path: number[] = []
  /** Cost of the best path to each place, from place `#first` on. Places are counted on through all laps. */
  #costs: number[] = []
  #first = 0
  /** The likeliest place. */
  #best = 0
  #matchedAtMs = Number.NEGATIVE_INFINITY
  #awayFixes = 0
  #alongM: number | null = null

  constructor(track: Track) {
    this.#placesM = placesOf(track)
    this.#placeCount = this.#placesM.length / 2
    this.#everyM = track.lengthM / this.#placeCount
    this.#odometer = new Odometer(track.lengthM)
  }

  /**
   * Adds a fix of a moving car, and the standing time of its drive; fixes are in order of time. Take all final places
   * with `next` after it.
   */
  add(fix: PlacedFix, stoodMs = 0) {
    this.#odometer.drive(fix)
    if (fix.atMs - this.#matchedAtMs < matchEveryMs) return
    this.#matchedAtMs = fix.atMs
    this.#match(fix, stoodMs)
  }

  /** Takes the next final place, if there is one. */
  next(): Progress | null {
    // The first place of a path is the least certain one.
    const isFinal =
      this.#steps.length > lagFixes || (this.#alongM !== null && this.#isOldestCertain())
    return isFinal ? this.#takeOldest() : null
  }

  /** Adds a fix of a standing car, which makes no place final. */
  park(fix: PlacedFix) {
    this.#odometer.park(fix)
  }

  /** Returns all places as final ones: the fixes of a car that is stopped for long add nothing to its path. */
  settle(): Progress[] {
    const rest: Progress[] = []
    while (this.#steps.length > 0) rest.push(this.#takeOldest())
    return rest
  }

  /** Returns the remaining places, and forgets the place of the car. */
  finish(): Progress[] {
    const rest = this.settle()
    this.#costs = []
    this.#best = this.#first
    this.#odometer.reset()
    this.#awayFixes = 0
    this.#alongM = null
    return rest
  }

  #match(fix: PlacedFix, stoodMs: number) {
    const { drivenM, spreadM } = this.#odometer.take()
    const placeCount = this.#placeCount
    const stepSpreadM = Math.min(placeSpreadM + spreadM, largestSpread * this.#everyM * placeCount)
    const shortest = Math.floor((drivenM - reachSpreads * stepSpreadM) / this.#everyM)
    const longest = Math.ceil((drivenM + reachSpreads * stepSpreadM) / this.#everyM)
    let first = this.#first + shortest
    let end = this.#first + this.#costs.length + longest
    const isLost = this.#costs.length === 0 || this.#awayFixes >= lostFixes
    // One lap around the best place: a restart must not change the number of the lap.
    const anywhere = this.#best - (placeCount >> 1)
    if (isLost) {
      first = Math.min(first, anywhere)
      end = Math.max(end, anywhere + placeCount)
    }
    const count = end - first
    for (let index = 0; index < count; index++) {
      costs[index] = Number.POSITIVE_INFINITY
      from[index] = this.#best
    }
    if (isLost) {
      const elsewhere = this.#costs.length > 0 ? restartCost : 0
      costs.fill(elsewhere, anywhere - first, anywhere - first + placeCount)
    }
    const moves = longest - shortest + 1
    for (let move = 0; move < moves; move++)
      moveCosts[move] = ((shortest + move) * this.#everyM - drivenM) ** 2 / (2 * stepSpreadM ** 2)
    this.#addMoves(this.#first + shortest - first, moves)
    this.#addPositions(fix, first, count)
    this.#keepBest({ fix, drivenM, spreadM, stoodMs, first }, count)
  }

  /** Finds the cheapest move to each place. The shortest one from the first known place leads to the index `offset`. */
  #addMoves(offset: number, moves: number) {
    const known = this.#costs
    const worstCost = known.length * moves > mostMoves ? 0 : beamCost
    for (let source = 0; source < known.length; source++) {
      const sourceCost = known[source] as number
      if (sourceCost > worstCost) continue
      for (let move = 0; move < moves; move++) {
        const index = offset + source + move
        const cost = sourceCost + (moveCosts[move] as number)
        if (cost >= (costs[index] as number)) continue
        costs[index] = cost
        from[index] = this.#first + source
      }
    }
  }

  /** Adds the cost of the distance between the fix and each place. */
  #addPositions(fix: PlacedFix, first: number, count: number) {
    const positionM = Math.max(leastPositionSpreadM, fix.accuracyM ?? 0)
    for (let index = 0; index < count; index++) {
      const offM = this.#offM(fix, first + index)
      costs[index] =
        (costs[index] as number) + Math.min(worstFixCost, offM ** 2 / (2 * positionM ** 2))
    }
  }

  /** Keeps the likely ones of the `count` places, with costs relative to the best one. */
  #keepBest({ fix, drivenM, spreadM, stoodMs, first }: Omit<Step, 'from'>, count: number) {
    let best = 0
    for (let index = 1; index < count; index++)
      if ((costs[index] as number) < (costs[best] as number)) best = index
    const least = costs[best] as number
    let start = 0
    let end = count
    while ((costs[start] as number) > least + beamCost) start++
    while ((costs[end - 1] as number) > least + beamCost) end--
    // Two places a lap apart are the same one: a path that began half a lap away would be followed twice.
    // At the start of a path the likelier one may be behind the line or before it.
    const twice = end - start - this.#placeCount
    if (this.#alongM === null && twice > 0) {
      if (leastBetween(start, start + twice) > leastBetween(end - twice, end)) start += twice
      else end -= twice
    } else if (best - start > end - best)
      start = Math.max(start, Math.min(best, end - this.#placeCount))
    else end = Math.min(end, Math.max(best + 1, start + this.#placeCount))
    this.#first = first + start
    this.#best = first + best
    this.#costs = costs.slice(start, end)
    // Does not reuse a list that is much too long, from when the car could be anywhere: it would stay in memory.
    const kept = this.#unused.length > 2 * count ? [] : this.#unused
    this.#unused = []
    for (let index = 0; index < end - start; index++) {
      this.#costs[index] = (this.#costs[index] as number) - least
      kept[index] = from[start + index] as number
    }
    // Copying the properties of `step` would take as long as the rest of the match.
    this.#steps.push({ fix, drivenM, spreadM, stoodMs, first: this.#first, from: kept })
    const awayFromM = Math.max(awayM, reachSpreads * (fix.accuracyM ?? 0))
    const isAway = this.#offM(fix, this.#best) > awayFromM
    this.#awayFixes = isAway ? this.#awayFixes + 1 : 0
  }

  #offM({ eastM, northM }: PlacedFix, place: number): number {
    const index = this.#around(place)
    const east = eastM - (this.#placesM[index] as number)
    const north = northM - (this.#placesM[index + 1] as number)
    return lengthOf(east, north)
  }

  /** Returns the index of a place, which is counted on through all laps. */
  #around(place: number): number {
    const count = this.#placeCount
    return 2 * (((place % count) + count) % count)
  }

  /** True if later fixes hardly change the place of the oldest step. Likely paths do not cross: the outermost ones show it. */
  #isOldestCertain(): boolean {
    let [low, best, high] = [this.#first, this.#best, this.#first + this.#costs.length - 1]
    for (let index = this.#steps.length - 1; index > 0; index--) {
      const { fix, first, from } = this.#steps[index] as Step
      if (this.#offM(fix, best) > closeM) return false
      low = from[low - first] as number
      best = from[best - first] as number
      high = from[high - first] as number
    }
    const everyM = this.#everyM
    return (high - low) * everyM <= agreeingM && (this.#best - best) * everyM >= drivenOnM
  }

  /** Removes the oldest step. */
  #takeOldest(): Progress {
    this.#followBack()
    const step = this.#steps.shift() as Step
    const place = this.#path.shift() as number
    const progress = this.#progressAt(step, place)
    if (this.#alongM !== null)
      this.#odometer.calibrate(step.drivenM, progress.alongM - this.#alongM)
    this.#alongM = progress.alongM
    this.#unused = step.from
    return progress
  }

  /** Follows the best path back to where it meets the previous best path, usually after a step or two. */
  #followBack() {
    let place = this.#best
    for (let index = this.#steps.length - 1; index >= 0; index--) {
      if (this.#path[index] === place) return
      this.#path[index] = place
      const step = this.#steps[index] as Step
      place = step.from[place - step.first] as number
    }
  }

  /** Returns the place of a step, corrected by the distance of its fix in the direction of the road there. */
  #progressAt({ fix, drivenM, spreadM, stoodMs }: Step, place: number): Progress {
    const before = this.#around(place - 1)
    const here = this.#around(place)
    const after = this.#around(place + 1)
    const m = this.#placesM
    const wayEastM = (m[after] as number) - (m[before] as number)
    const wayNorthM = (m[after + 1] as number) - (m[before + 1] as number)
    const offEastM = fix.eastM - (m[here] as number)
    const offNorthM = fix.northM - (m[here + 1] as number)
    const wayM = lengthOf(wayEastM, wayNorthM)
    const aheadM = (offEastM * wayEastM + offNorthM * wayNorthM) / wayM
    const everyM = this.#everyM
    return {
      fix,
      alongM: place * everyM + Math.max(-everyM, Math.min(everyM, aheadM)),
      offM: lengthOf(offEastM, offNorthM),
      besideM: (offEastM * wayNorthM - offNorthM * wayEastM) / wayM,
      drivenM,
      spreadM,
      stoodMs,
    }
  }
}

/** Returns the lowest of the costs of places, from one index up to another one. */
function leastBetween(start: number, end: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let index = start; index < end; index++) least = Math.min(least, costs[index] as number)
  return least
}
