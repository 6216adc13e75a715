import { keptCrossings } from '#contract/shared/timingRules.ts'
import { median } from '../race/pace.ts'
import type { PaceFlag } from './paceFlag.ts'

/** A crossing of the line: the lap that it completed, and the time since the start. */
export interface Crossing {
  readonly lap: number
  readonly totalMs: number
}

/** A crossing with the flag of the lap that it completed; null if it changed, or is not one of these. */
export interface FlaggedCrossing extends Crossing {
  readonly flag: PaceFlag | null
}

/** A stop, as the times at the line show it. */
export interface SeenStop {
  /** The first lap that it made longer. */
  readonly lap: number
  /** How much longer its laps were than the same number at the pace of the field. */
  readonly lossMs: number
  /** The flag of all these laps; null if it changed, or the line was not seen after each of them. */
  readonly flag: PaceFlag | null
  /** Pace of the cars around it during these laps, as a share of their usual laps. */
  readonly pace: number
}

/** Number of stops stored for each car: 24 hours have fewer. */
const keptStops = 100

/** A shorter lap is an error of the source. */
const shortestLapMs = 5000

/** Number of green laps whose median is the usual lap of a car, and the fewest that are enough. */
const usualLaps = 9
const leastLaps = 3

/** A lap that is longer by this share than at the pace of the field may be part of a stop. */
const slowShare = 0.02
/** Stops take longer: less is a slow lap, or a spin. A rule of thumb. */
const shortestStopMs = 20_000
/** Laps of one stop; a car that is slow for more of them is damaged. */
const mostLaps = 4

/** Number of nearest cars on the track that show the pace of the field, and the fewest that are enough. */
const neighbours = 8
const leastNeighbours = 3
/** Compared cars, so that the work for one crossing is bounded. */
const mostCompared = 60
/** A field below this share of its pace has stopped, as under red. */
const stoppedShare = 0.3

/** The newest crossings of a car, and the stops that they show. */
export class CarHistory {
  crossings: readonly FlaggedCrossing[] = []
  stops: readonly SeenStop[] = []
  /** Time of its usual green lap; null before the third one. */
  usualMs: number | null = null
  /** False if it may have made stops that were not seen. */
  isWhole = true
  /** Number of changes of the flag before the newest crossing. */
  #flagChanges = 0
  readonly #green: number[] = []
  /** The crossing up to which stops were looked for. */
  #checkedLap: number | null = null
  /** The crossing before the first lap that may be part of a stop. */
  #slowFrom: FlaggedCrossing | null = null

  /** Adds the end of a lap. Removes later crossings, for when race control has corrected the number of laps. */
  add(
    { lap, totalMs }: Crossing,
    { flag, changes }: { flag: PaceFlag | null; changes: number },
    field: readonly CarHistory[],
  ) {
    const last = this.crossings.at(-1)
    if (last?.lap === lap && last.totalMs === totalMs) return
    const before = !last || last.lap < lap ? this.crossings : this.#until(lap)
    const previous = before.at(-1)
    const isNext = previous?.lap === lap - 1
    const isSame = isNext && changes === this.#flagChanges
    this.#flagChanges = changes
    const crossing = { lap, totalMs, flag: isSame ? flag : null }
    this.crossings = [...before.slice(1 - keptCrossings), crossing]
    if (!previous && lap > 1) this.isWhole = false
    if (previous && crossing.flag === 'green') this.#addGreen(totalMs - previous.totalMs)
    this.#findStops(field)
  }

  #until(lap: number): readonly FlaggedCrossing[] {
    this.#slowFrom = null
    this.#checkedLap = Math.min(this.#checkedLap ?? lap, lap - 1)
    this.stops = this.stops.filter(stop => stop.lap < lap)
    return this.crossings.filter(each => each.lap < lap)
  }

  #addGreen(lapMs: number) {
    if (lapMs < shortestLapMs) return
    this.#green.push(lapMs)
    if (this.#green.length > usualLaps) this.#green.shift()
    if (this.#green.length >= leastLaps) this.usualMs = median(this.#green)
  }

  /** Looks for stops in the laps before the newest one, which the rest of the field has completed too. */
  #findStops(field: readonly CarHistory[]) {
    const { crossings, usualMs } = this
    if (usualMs === null) return
    const first = crossings.findIndex(({ lap }) => lap > (this.#checkedLap ?? 0))
    for (let index = Math.max(1, first); index < crossings.length - 1; index++) {
      const from = crossings[index - 1] as FlaggedCrossing
      const to = crossings[index] as FlaggedCrossing
      this.#checkedLap = to.lap
      const loss = this.#loss(from, to, field)
      if (!loss) this.isWhole = false
      if (loss && loss.ms > slowShare * usualMs * (to.lap - from.lap)) {
        this.#slowFrom ??= from
        if (to.lap - this.#slowFrom.lap > mostLaps) this.#slowFrom = null
      } else this.#endSlow(from, field)
    }
  }

  #endSlow(to: FlaggedCrossing, field: readonly CarHistory[]) {
    const from = this.#slowFrom
    if (!from) return
    this.#slowFrom = null
    const loss = this.#loss(from, to, field)
    if (!loss || loss.ms < shortestStopMs || this.stops.length >= keptStops) return
    const laps = this.crossings.filter(({ lap }) => lap > from.lap && lap <= to.lap)
    const flag = laps.every(lap => lap.flag === to.flag) ? to.flag : null
    const stop = { lap: from.lap + 1, lossMs: Math.round(loss.ms), flag, pace: loss.pace }
    this.stops = [...this.stops, stop]
  }

  /**
   * Returns how much longer the car took between two of its crossings than it usually takes at the pace of the field:
   * the median of the cars around it, as a share of their usual laps. So slow laps of all cars cost none of them time.
   * Null if the pace of the field is not known, or the field has stopped.
   */
  #loss(
    from: Crossing,
    to: Crossing,
    field: readonly CarHistory[],
  ): { ms: number; pace: number } | null {
    const tookMs = to.totalMs - from.totalMs
    const usualMs = (this.usualMs ?? 0) * (to.lap - from.lap)
    if (tookMs <= usualMs * (1 + slowShare)) return { ms: 0, pace: 1 }
    const pace = paceAround(this, from.totalMs, to.totalMs, field)
    if (pace === null || pace < stoppedShare) return null
    return { ms: tookMs - usualMs / pace, pace }
  }
}

/** Returns the pace of the cars around a car on the track, as a share of their usual laps; null if too few are known. */
function paceAround(
  car: CarHistory,
  fromMs: number,
  toMs: number,
  field: readonly CarHistory[],
): number | null {
  const own = lapsAt(car, fromMs)
  if (own === null) return null
  const paces: { apart: number; pace: number }[] = []
  for (const other of field.slice(0, mostCompared)) {
    if (other === car || other.usualMs === null) continue
    const begin = lapsAt(other, fromMs)
    const end = begin === null ? null : lapsAt(other, toMs)
    if (begin === null || end === null) continue
    const apart = Math.abs(begin - own - Math.round(begin - own))
    paces.push({ apart, pace: ((end - begin) * other.usualMs) / (toMs - fromMs) })
  }
  if (paces.length < leastNeighbours) return null
  paces.sort((a, b) => a.apart - b.apart)
  return median(paces.slice(0, neighbours).map(({ pace }) => pace))
}

/** Returns the laps that a car had driven at a time since the start; null outside its known crossings. */
function lapsAt({ crossings }: CarHistory, atMs: number): number | null {
  for (let index = crossings.length - 1; index > 0; index--) {
    const [before, after] = [crossings[index - 1], crossings[index]]
    if (!before || !after || after.totalMs < atMs) return null
    if (before.totalMs > atMs) continue
    const lapMs = after.totalMs - before.totalMs
    const share = lapMs > 0 ? (atMs - before.totalMs) / lapMs : 0
    return before.lap + share * (after.lap - before.lap)
  }
  return null
}
