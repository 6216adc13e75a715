import { greatestOf } from '#contract/shared/extremes.ts'
import { crossedLaps, type DrivenLap } from '../laps/drivenLap.ts'
import { memoized } from '../memoized.ts'
import { type Burn, burnt, type FuelUse, learnBurn } from './burn.ts'
import type { CarRace, Fill, Tank } from './carRace.ts'
import { comparedTimes, median } from './pace.ts'
import { hiddenLapsOf } from './raceLaps.ts'
import type { Visit } from './stopClock.ts'

/** The fuel of a car when it crossed the line the last time. */
export interface Fuel {
  readonly burn: Burn
  readonly leftL: number
  /** Half its 95 % interval. */
  readonly plusMinusL: number
  /** The most that is likely to be left. It keeps falling while the expected level is zero. */
  readonly mostLeftL: number
  /** True if nobody entered the fuel at the start: a full tank is assumed. */
  readonly isAssumed: boolean
}

/** The parts of a race from which the fuel of a car is computed. */
export type FuelledCar = Pick<
  CarRace,
  'car' | 'race' | 'plan' | 'runs' | 'fills' | 'laps' | 'visits'
>

/**
 * Returns the burn, learned from fills to full: between two of them the car burnt the litres of the second one, and
 * before the first one those that the tank had lost since the start. Null without a car, or without either of both and
 * an entered burn.
 */
export function burnOf(carRace: FuelledCar): Burn | null {
  const { car } = carRace
  return car && learnBurn(fuelUses(carRace), car.burnL)
}

/**
 * Returns the fuel that is left: the last known level, minus (n_g · b_g + n_y · b_y) for the green and yellow laps up to
 * each later fill, plus its litres. The tank is never fuller than full or emptier than empty. Null without a car, a burn
 * or a level. Laps and fills count until `untilMs`. On the track it is the level at the last crossing of the line, in the
 * pits the one of the box.
 */
export function fuelOf(carRace: FuelledCar, untilMs = Number.POSITIVE_INFINITY): Fuel | null {
  const { car } = carRace
  const burn = burnOf(carRace)
  const { levelL, isAssumed, steps } = sinceKnown(carRace, untilMs)
  const knownL = levelL ?? car?.tankL ?? null
  if (!car || !burn || knownL === null) return null
  const fullL = car.tankL ?? Number.POSITIVE_INFINITY
  const balanceL = steps.reduce((beforeL, { litres, ...laps }) => {
    const afterL = beforeL - burnt(burn, laps).litres
    return litres === null ? afterL : Math.min(fullL, Math.max(0, afterL) + litres)
  }, knownL)
  const { plusMinusL } = burnt(burn, lapsIn(steps))
  const mostLeftL = Math.min(fullL, Math.max(0, balanceL + plusMinusL))
  return { burn, leftL: Math.max(0, balanceL), plusMinusL, mostLeftL, isAssumed }
}

/** Laps of a car, and the fill after them. */
interface FuelStep {
  readonly greenLaps: number
  readonly yellowLaps: number
  /** How many of the green laps a gap in reception hid. */
  readonly hiddenLaps: number
  /** Null: no fill since these laps. */
  readonly litres: number | null
}

/** The last known level of a car, and what happened since. */
interface FuelSince {
  /** Null: the tank was full. */
  readonly levelL: number | null
  /** True if nobody entered the level. */
  readonly isAssumed: boolean
  /** In order of time. */
  readonly steps: readonly FuelStep[]
}

/**
 * Returns the last known level of a car before a time, and its laps and fills since. The car may have been refuelled for
 * the start of the race, so that laps and fills of runs that ended before do not count.
 */
function sinceKnown(carRace: FuelledCar, untilMs: number): FuelSince {
  const endedMs = endOfRunsBeforeStart(carRace)
  const startMs = endedMs < untilMs ? endedMs : Number.NEGATIVE_INFINITY
  const fills = carRace.fills.filter(({ at }) => at < untilMs)
  const last = fills.findLast(({ kind }) => kind !== 'part')
  const known = last?.kind === 'full' && last.at <= startMs ? undefined : last
  const steps: FuelStep[] = []
  let fromMs = Math.max(known?.at ?? startMs, startMs)
  let before = withShare(carRace, fromMs, shareAt(carRace, fromMs) ?? startShare(carRace, fromMs))
  const step = (at: number, litres: number | null) => {
    const after = withShare(carRace, at, shareAt(carRace, at) ?? 0)
    steps.push({ ...minus(after, before), litres })
    before = after
  }
  for (const { kind, at, litres } of fills) {
    if (kind !== 'part' || at < fromMs) continue
    step(at, litres)
    fromMs = at
  }
  step(untilMs, null)
  const levelL = known?.kind === 'start' ? known.litres : null
  return { levelL, isAssumed: known === undefined, steps }
}

/** Returns when the last run that ended before the start of the race did; -Infinity without one. */
function endOfRunsBeforeStart({ race, runs }: Pick<CarRace, 'race' | 'runs'>): number {
  if (!race) return Number.NEGATIVE_INFINITY
  const startedAt = race.startedAt ?? Number.POSITIVE_INFINITY
  return greatestOf(
    runs.flatMap(({ until }) => (until !== null && until <= startedAt ? [until] : [])),
  )
}

function lapsIn(steps: readonly FuelStep[]) {
  return {
    greenLaps: steps.reduce((sum, step) => sum + step.greenLaps, 0),
    yellowLaps: steps.reduce((sum, step) => sum + step.yellowLaps, 0),
    hiddenLaps: steps.reduce((sum, step) => sum + step.hiddenLaps, 0),
  }
}

/**
 * Returns the litres in the tank at the last entry; null if they are unknown: without an entry, and after a fill that
 * was not to full. They do not depend on laps, so they are known even if laps are not counted.
 */
export function enteredLevelL(
  { tankL }: Pick<Tank, 'tankL'>,
  fills: readonly Fill[],
): number | null {
  const last = fills.at(-1)
  if (!last || last.kind === 'part') return null
  return last.kind === 'start' ? last.litres : tankL
}

/** Returns the least fuel that is likely to be left. */
export function pessimisticLeftL({ leftL, plusMinusL }: Fuel): number {
  return Math.max(0, leftL - plusMinusL)
}

/**
 * Returns the fuel burnt between moments with a known level, up to each fill to full, if all laps between them are known.
 */
function fuelUses(carRace: FuelledCar): FuelUse[] {
  const { tankL = null } = carRace.car ?? {}
  return carRace.fills.flatMap(full => {
    if (full.kind !== 'full') return []
    const { levelL, isAssumed, steps } = sinceKnown(carRace, full.at)
    if (isAssumed) return []
    // A full tank has the same level each time; another level needs the size of the tank.
    const missingL = levelL === null ? 0 : tankL === null ? null : tankL - levelL
    if (missingL === null) return []
    const partsL = steps.reduce((sum, { litres }) => sum + (litres ?? 0), 0)
    const { hiddenLaps: hidden, ...driven } = lapsIn(steps)
    return hidden > 0 ? [] : [{ litres: full.litres + partsL - missingL, ...driven }]
  })
}

/** A crossing of the line, and the lap that it ends. */
interface Crossing {
  readonly at: number
  /** The part of the lap that burnt as little as a yellow one, from 0 to 1. */
  readonly yellow: number
  readonly isHidden: boolean
}

/** Returns the crossings of the line, with those that gaps in reception hid, in order of time. */
const crossingsIn = memoized((carRace: FuelledCar): Crossing[] => {
  const usualMs = median(comparedTimes(carRace.laps)) || carRace.plan?.lapMs
  const seen = withoutRolls(crossedLaps(carRace.laps)).map((lap): Crossing => {
    const yellow = usualMs ? yellowPart(lap, usualMs, carRace.visits) : 0
    return { at: lap.startedAt + lap.timeMs, yellow, isHidden: false }
  })
  const hidden = hiddenLapsOf(carRace).flatMap(({ at }) => at)
  const all = [...seen, ...hidden.map((at): Crossing => ({ at, yellow: 0, isHidden: true }))]
  return all.toSorted((a, b) => a.at - b.at)
})

/**
 * Returns the part of a lap that was driven slowly under yellow: 0 if the lap took the usual time, 1 if it took twice
 * as long. A short yellow saves almost no fuel. Time in the pits does not count.
 */
function yellowPart(lap: DrivenLap, usualMs: number, visits: readonly Visit[]): number {
  if (!lap.yellow) return 0
  const endMs = lap.startedAt + lap.timeMs
  const pitMs = visits.reduce((sum, { startedAt, endedAt }) => {
    const inLapMs = Math.min(endedAt ?? endMs, endMs) - Math.max(startedAt, lap.startedAt)
    return sum + Math.max(0, inLapMs)
  }, 0)
  return Math.min(1, Math.max(0, (lap.timeMs - pitMs) / usualMs - 1))
}

/** A shorter part before the first crossing of a drive burns almost no fuel: the car rolls from the grid to the line. */
const rollShare = 0.25

/** Leaves out the ways from the grid to the line. A way from the box to it completes the lap that led into the pits. */
function withoutRolls<T extends DrivenLap>(laps: readonly T[]): T[] {
  const [first, ...others] = laps
  const usualMs = median(others.map(({ timeMs }) => timeMs))
  return first?.kind === 'out' && first.timeMs < rollShare * usualMs ? others : [...laps]
}

/** The lap time of a car without a timed lap. */
const assumedLapMs = 90_000

/** Laps that a car had driven at a moment. */
type LapCount = Omit<FuelStep, 'litres'>

function minus(after: LapCount, before: LapCount): LapCount {
  return {
    greenLaps: after.greenLaps - before.greenLaps,
    yellowLaps: after.yellowLaps - before.yellowLaps,
    hiddenLaps: after.hiddenLaps - before.hiddenLaps,
  }
}

/**
 * Counts the crossings of the line until a time, and this share of the lap that was driven then. Hidden laps count as
 * green.
 */
function withShare(carRace: FuelledCar, atMs: number, share: number): LapCount {
  const crossings = crossingsIn(carRace)
  const crossed = crossings.filter(({ at }) => at <= atMs)
  const current = crossings.find(({ at }) => at > atMs)?.yellow ?? 0
  const yellowLaps = crossed.reduce((sum, { yellow }) => sum + yellow, share * current)
  const hiddenLaps = crossed.filter(({ isHidden }) => isHidden).length
  return { greenLaps: crossed.length + share - yellowLaps, yellowLaps, hiddenLaps }
}

/**
 * Returns the share of the current lap that a car had driven when it came into the pits, on the visit at this time or
 * since the last crossing of the line; null on the track.
 */
function shareAt(carRace: FuelledCar, atMs: number): number | null {
  const { visits } = carRace
  const visit = visits.findLast(({ startedAt }) => startedAt <= atMs)
  const crossedMs = crossingsIn(carRace).findLast(({ at }) => at <= atMs)?.at
  if (!visit) return null
  const { startedAt, stoppedAt, endedAt } = visit
  if (
    stoppedAt !== null &&
    stoppedAt <= atMs &&
    stoppedAt > (crossedMs ?? Number.NEGATIVE_INFINITY)
  )
    return boxShare(carRace).share
  if (crossedMs === undefined || crossedMs >= startedAt)
    return endedAt === null || endedAt >= atMs ? 0 : null
  return lapShare(carRace, crossedMs, startedAt)
}

/**
 * Returns the share of a lap from the line to the box. The box stays at its place: it is the same for each stop, so that
 * a car drives whole laps from one stop to the next.
 */
const boxShare = memoized((carRace: FuelledCar): { readonly share: number } => {
  const crossings = crossingsIn(carRace)
  const stops = carRace.visits.filter(({ stoppedAt }) => stoppedAt !== null)
  const shares = stops.flatMap(({ stoppedAt, endedAt }) => {
    const next = crossings.find(({ at }) => at > (stoppedAt ?? 0))
    return next && endedAt !== null ? [1 - lapShare(carRace, endedAt, next.at)] : []
  })
  if (shares.length > 0) return { share: median(shares) }
  const [first] = stops
  const crossed = crossings.findLast(({ at }) => at <= (first?.stoppedAt ?? 0))
  return { share: first && crossed ? lapShare(carRace, crossed.at, first.startedAt) : 0 }
})

/**
 * Returns the share of its lap that a car had driven when its fuel level was known: on the grid, and in the first lap
 * after the pits. In other laps it is 0, which counts at most one lap too many.
 */
function startShare(carRace: FuelledCar, knownMs: number): number {
  const { laps, visits, race } = carRace
  const crossing = crossingsIn(carRace).find(({ at }) => at > knownMs)
  const lap = laps.find(({ startedAt, timeMs }) => startedAt + timeMs === crossing?.at)
  if (!crossing || lap?.kind !== 'out') return 0
  const visit = endedIn(visits, lap.startedAt, crossing.at)
  const raceMs = race?.startedAt ?? 0
  const beganMs = visit
    ? (visit.endedAt ?? crossing.at)
    : Math.max(lap.startedAt, raceMs < crossing.at ? raceMs : 0)
  return 1 - lapShare(carRace, beganMs, crossing.at)
}

/** Returns the share of a lap, by its usual time, that a car drives between two moments; none is longer than one lap. */
function lapShare({ laps, plan }: FuelledCar, fromMs: number, toMs: number): number {
  const times = comparedTimes(laps)
  // The faster of both: a share that is too large is on the safe side.
  const usualMs = Math.min(median(times), median(times.slice(-5))) || plan?.lapMs || assumedLapMs
  return Math.min(1, Math.max(0, (toMs - fromMs) / usualMs))
}

function endedIn(visits: readonly Visit[], fromMs: number, toMs: number): Visit | undefined {
  return visits.findLast(({ startedAt, endedAt }) => startedAt < toMs && (endedAt ?? toMs) > fromMs)
}
