import type { PitLoss } from '../race/pitLoss.ts'
import { indexOfNumber } from './indexOfNumber.ts'
import { type PaceFlag, paceFlagOf } from './paceFlag.ts'
import type { StandingWithGaps } from './standings.ts'
import {
  isComparable,
  leastStops,
  type StopLoss,
  type StopLosses,
  type StopTime,
} from './stopLosses.ts'

/** A car of the order, with the values that a stop needs. */
export type GhostCar = Pick<
  StandingWithGaps,
  | 'position'
  | 'number'
  | 'className'
  | 'classPosition'
  | 'laps'
  | 'totalMs'
  | 'lastMs'
  | 'usualMs'
  | 'stops'
>

/** The run on the track. */
export interface GhostRun {
  readonly flag: string | null
  readonly stopLosses: StopLosses
  /** Time since the start at which the field was slowed; null while it is not. */
  readonly slowFromMs: number | null
  readonly standings: readonly GhostCar[]
}

/** The time that a stop costs a car, with half of the interval that contains 95 % of its stops. */
export interface ExpectedLoss {
  readonly ms: number
  readonly plusMinusMs: number
  /** Comparable stops of all cars. */
  readonly count: number
}

/** The place of a car after a stop now, at the end of its out lap. */
export interface GhostStop {
  readonly loss: ExpectedLoss
  /** As likely better as worse. */
  readonly position: number
  /** 95 % of stops end between these places. */
  readonly best: number
  readonly worst: number
  /** Null if the source has no classes. */
  readonly classPosition: number | null
  /** The car directly ahead then, if no other car stops; null for the leader. `ms`: null if it is more than two laps ahead. */
  readonly behind: { readonly number: string | null; readonly ms: number | null } | null
}

/** Null: not known. */
export interface GhostStops {
  /** The flag that is shown now. */
  readonly now: PaceFlag | null
  readonly green: GhostStop | null
  readonly yellow: GhostStop | null
}

/** The in lap and the out lap. */
const lapsOfStop = 2

/** Standard deviation of a lap, as a share of it. A rule of thumb. */
export const lapSpread = 0.01

/** Standard deviation of a gap under yellow, as a share of it: cars close up behind a safety car. By simulated races. */
const queueSpread = 0.45

/** A car that is late at the line by more than this share of its usual lap has stopped. */
const lateLaps = 0.15

/**
 * With fewer comparable stops for each car a place is not known: the first stops of the others, which may come at any time,
 * decide it. By simulated races.
 */
const leastStopsOfCar = 0.6

/** Under yellow this many times more cars stop than else, and never more than this share. By simulated races. */
const moreYellowStops = 3
const mostStopping = 0.3

/** Half of the interval that contains 95 % of normally distributed values, in standard deviations. */
export const z95 = 1.96

const unknown: GhostStops = { now: null, green: null, yellow: null }

/**
 * Returns the places of a car if it stopped now. `own` has its stops as the team measured them by GPS; without it the
 * stops of the car in the feed count.
 */
export function ghostStops(run: GhostRun, number: string | null, own: PitLoss | null): GhostStops {
  const index = indexOfNumber(run.standings, number)
  const car = run.standings[index]
  if (!car || !hasStopped(run)) return unknown
  const { green, yellow } = expectedLosses(run.stopLosses, car, own)
  const share = stopShareOf(run)
  return {
    now: paceFlagOf(run.flag),
    green: green && placeAfter(run.standings, index, green, arrivalsOf(run, car, 'green'), share),
    yellow:
      yellow &&
      placeAfter(
        run.standings,
        index,
        yellow,
        arrivalsOf(run, car, 'yellow'),
        Math.min(mostStopping, share * moreYellowStops),
      ),
  }
}

/** True once most cars of the field have made a stop that can be compared. */
function hasStopped({ standings, stopLosses: { green, yellow } }: GhostRun): boolean {
  const driven = standings.filter(({ usualMs }) => usualMs !== null)
  return (green?.count ?? 0) + (yellow?.count ?? 0) >= leastStopsOfCar * driven.length
}

/**
 * Returns the time that a stop costs a car: its own measured loss under green, the field's without an own stop; under
 * yellow the difference between the stops of the field is added. Null with fewer than three comparable stops in the run.
 */
export function expectedLosses(
  { green, yellow }: StopLosses,
  { stops }: Pick<GhostCar, 'stops'>,
  own: PitLoss | null,
): Record<PaceFlag, ExpectedLoss | null> {
  const measured = own && { count: own.stops, medianMs: own.greenMs }
  const ownGreen = ownLoss(measured ?? stops?.green ?? null, green)
  const ownYellow =
    ownGreen && green && yellow
      ? { ...ownGreen, ms: Math.max(0, ownGreen.ms + yellow.medianMs - green.medianMs) }
      : ownLoss(stops?.yellow ?? null, yellow)
  return { green: expected(ownGreen, green), yellow: expected(ownYellow, yellow) }
}

interface OwnLoss {
  readonly ms: number
  /** Own stops; 0 if it is the loss of the field. */
  readonly count: number
}

/**
 * The median of the field counts as one more stop, until there are three. A stop that is far from those of the field
 * was a repair or a penalty, and does not count.
 */
function ownLoss(measured: StopTime | null, field: StopTime | null): OwnLoss | null {
  if (!field) return null
  const { count, medianMs } = measured ?? { count: 0, medianMs: 0 }
  if (count >= leastStops) return { ms: medianMs, count }
  if (!isComparable(medianMs, field.medianMs)) return { ms: field.medianMs, count: 0 }
  return { ms: (count * medianMs + field.medianMs) / (count + 1), count }
}

function expected(own: OwnLoss | null, field: StopLoss | null): ExpectedLoss | null {
  if (!own || !field) return null
  const { count, ms } = own
  const plusMinusMs =
    count === 0 ? field.ofAllPlusMinusMs : field.plusMinusMs * Math.sqrt(1 + 1 / count)
  return { ms: Math.round(ms), plusMinusMs: Math.round(plusMinusMs), count: field.count }
}

/** Time at which a car completes the lap that is the out lap of the own car. */
interface Arrival {
  readonly atMs: number
  /** Standard deviation. */
  readonly spreadMs: number
}

const neverAtLine: Arrival = { atMs: Number.POSITIVE_INFINITY, spreadMs: 0 }

/** Returns the arrival of each car at the end of the own car's out lap, without the own stop. */
function arrivalsOf(run: GhostRun, own: GhostCar, flag: PaceFlag): (Arrival | null)[] {
  const { standings: cars, stopLosses, slowFromMs } = run
  if (own.laps === null) return cars.map(() => null)
  const lap = own.laps + lapsOfStop
  const nowMs = cars.reduce((newest, { totalMs }) => Math.max(newest, totalMs ?? 0), 0)
  const fieldStopMs = stopLosses[flag]?.medianMs
  const slowPace = stopLosses.yellow?.pace ?? 1
  return cars.map(car => {
    const { laps, totalMs } = car
    if (laps === null && totalMs === 0) return neverAtLine
    // A car without three green laps is compared by its laps alone.
    const usualMs = car.usualMs ?? own.usualMs
    if (laps === null || totalMs === null || usualMs === null) return null
    const slowMs = slowFromMs === null ? 0 : nowMs - Math.max(totalMs, slowFromMs)
    const drivenMs = nowMs - totalMs - slowMs * (1 - slowPace)
    const lateMs = Math.max(0, drivenMs - usualMs)
    const hasStopped = lateMs > usualMs * lateLaps
    // Another stop cannot be added to one that is not over.
    if (hasStopped && car === own && flag === 'green') return null
    // A car that has stopped still has the rest of its stop ahead.
    const stopMs = hasStopped ? Math.max(0, (fieldStopMs ?? 0) - lateMs) : 0
    const usualToGoMs = (lap - laps) * usualMs + stopMs - Math.min(drivenMs, usualMs)
    // Under yellow all cars drive at one pace, at which the same distance takes longer.
    const toGoMs =
      flag === 'green'
        ? usualToGoMs
        : ((usualToGoMs / usualMs) * (own.usualMs ?? usualMs)) / slowPace
    const lapsSpreadMs = lapSpread * usualMs * Math.sqrt(Math.max(0, lap - laps))
    const gapMs = flag === 'green' ? 0 : Math.abs(toGoMs - (lapsOfStop * usualMs) / slowPace)
    return { atMs: nowMs + toGoMs, spreadMs: Math.hypot(lapsSpreadMs, queueSpread * gapMs) }
  })
}

/** Returns the share of cars that stop while the own car drives its in lap and its out lap, by the stops until now. */
function stopShareOf({ standings }: GhostRun): number {
  const counted = standings.filter(({ stops, laps }) => stops?.count != null && laps !== null)
  const sum = (values: readonly number[]) => values.reduce((all, each) => all + each, 0)
  const stops = sum(counted.map(car => car.stops?.count ?? 0))
  const laps = sum(counted.map(car => car.laps ?? 0))
  return laps === 0 ? 0 : Math.min(mostStopping, (lapsOfStop * stops) / laps)
}

/** Returns the place after a stop that costs `loss`; null if a gap that it depends on is not known. */
function placeAfter(
  cars: readonly GhostCar[],
  index: number,
  loss: ExpectedLoss,
  arrivals: readonly (Arrival | null)[],
  stopShare: number,
): GhostStop | null {
  const own = cars[index]
  const ownArrival = arrivals[index]
  if (!own || !ownArrival) return null
  const atMs = ownArrival.atMs + loss.ms
  const ownSpreadMs = Math.hypot(loss.plusMinusMs / z95, ownArrival.spreadMs)
  const rivals: Rival[] = []
  let closest: { car: GhostCar; atMs: number } | null = null
  let isBeyond = false
  for (let behind = index + 1; behind < cars.length; behind++) {
    const car = cars[behind] as GhostCar
    const arrival = arrivals[behind]
    if (!arrival) {
      // It is further behind than a car that is out of reach.
      if (isBeyond) continue
      return null
    }
    const aheadMs = atMs - arrival.atMs
    if (aheadMs < -z95 * Math.hypot(arrival.spreadMs, ownSpreadMs)) isBeyond = true
    else {
      const isInClass = car.className !== null && car.className === own.className
      rivals.push({ aheadMs, spreadMs: arrival.spreadMs, isInClass })
    }
    if (aheadMs <= 0) continue
    if (!closest || arrival.atMs > closest.atMs) closest = { car, atMs: arrival.atMs }
  }
  const passing = passingCars(rivals, ownSpreadMs, stopShare)
  const inClass = rivals.filter(({ isInClass }) => isInClass)
  const passingInClass = passingCars(inClass, ownSpreadMs, stopShare)
  const ahead = closest ?? neighbourAhead(cars, index, arrivals)
  return {
    loss,
    position: own.position + quantileOf(passing, 0.5),
    best: own.position + quantileOf(passing, 0.025),
    worst: own.position + quantileOf(passing, 0.975),
    classPosition:
      own.classPosition === null ? null : own.classPosition + quantileOf(passingInClass, 0.5),
    behind: ahead && {
      number: ahead.car.number,
      ms: ahead.atMs === null ? null : Math.max(0, Math.round(atMs - ahead.atMs)),
    },
  }
}

/** A car behind that may pass during the stop. */
interface Rival {
  /** Time by which it is ahead after the stop; negative: behind. */
  readonly aheadMs: number
  /** Standard deviation of its own laps. */
  readonly spreadMs: number
  /** True if it is in the class of the own car. */
  readonly isInClass: boolean
}

/** Points of the normal distribution of the own car's time, in standard deviations. */
const ownPoints = [-3, -2.5, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3]

/**
 * Returns how likely it is that none, one, two … of these cars pass. `stopShare` of them stop too, and stay behind. The
 * logistic distribution takes the place of the normal one, because slow laps make its ends heavier.
 */
function passingCars(
  rivals: readonly Rival[],
  ownSpreadMs: number,
  stopShare: number,
): readonly number[] {
  const likely = Array.from({ length: rivals.length + 1 }, () => 0)
  for (const point of ownPoints) {
    let chances = [Math.exp(-(point ** 2) / 2)]
    for (const { aheadMs, spreadMs } of rivals) {
      const deviations = (aheadMs + point * ownSpreadMs) / Math.max(1, spreadMs)
      const passes = (1 - stopShare) / (1 + Math.exp(-1.7 * deviations))
      chances = [...chances, 0].map(
        (chance, count) => chance * (1 - passes) + (chances[count - 1] ?? 0) * passes,
      )
    }
    for (const [count, chance] of chances.entries()) likely[count] = (likely[count] ?? 0) + chance
  }
  const all = likely.reduce((sum, each) => sum + each, 0)
  return likely.map(each => each / all)
}

/** Returns the number that a count is at most with this probability. */
function quantileOf(chances: readonly number[], share: number): number {
  let below = 0
  const count = chances.findIndex(chance => (below += chance) >= share)
  return count === -1 ? chances.length - 1 : count
}

/** Returns the car directly ahead in the order, which the stop does not change. */
function neighbourAhead(
  cars: readonly GhostCar[],
  index: number,
  arrivals: readonly (Arrival | null)[],
): { car: GhostCar; atMs: number | null } | null {
  const car = cars[index - 1]
  if (!car) return null
  const laps = cars[index]?.laps ?? null
  const isNear = laps !== null && car.laps !== null && car.laps <= laps + lapsOfStop
  return { car, atMs: isNear ? (arrivals[index - 1]?.atMs ?? null) : null }
}
