import { greatestOf } from '#contract/shared/extremes.ts'
import { crossedLaps, type DrivenLap } from '../laps/drivenLap.ts'
import { memoized } from '../memoized.ts'
import { type Burn, burnt, type FuelUse, learnBurn } from './burn.ts'
import type { CarRace, Fill, Tank } from './carRace.ts'
import { comparedTimes, median } from './pace.ts'
import { hiddenLapsOf } from './raceLaps.ts'
import { type Visit, visitAt } from './stopClock.ts'

/** The fuel of a car when it crossed the line the last time. */
export interface Fuel {
  readonly burn: Burn
  readonly leftL: number
  /** Half its 95 % interval. */
  readonly plusMinusL: number
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
 * box the one of the box.
 */
export function fuelOf(carRace: FuelledCar, untilMs = Number.POSITIVE_INFINITY): Fuel | null {
  const { car } = carRace
  const burn = burnOf(carRace)
  const since = sinceKnown(carRace, untilMs)
  const { levelL, isAssumed } = since
  const steps = inBox(carRace, since, untilMs) ? since.steps : withFirstShare(carRace, since)
  const knownL = levelL ?? car?.tankL ?? null
  if (!car || !burn || knownL === null) return null
  const mostL = car.tankL ?? Number.POSITIVE_INFINITY
  const leftL = steps.reduce((beforeL, { litres, ...laps }) => {
    const emptiedL = Math.max(0, beforeL - burnt(burn, laps).litres)
    return litres === null ? emptiedL : Math.min(mostL, emptiedL + litres)
  }, knownL)
  return { burn, leftL, plusMinusL: burnt(burn, lapsIn(steps)).plusMinusL, isAssumed }
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
  /** Laps count from then on. */
  readonly fromMs: number
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
  const knownMs = Math.max(known?.at ?? startMs, startMs)
  let fromMs = knownMs
  for (const { kind, at, litres } of fills) {
    if (kind !== 'part' || at < fromMs) continue
    steps.push({ ...lapsBetween(carRace, fromMs, at), litres })
    fromMs = at
  }
  steps.push({ ...lapsBetween(carRace, fromMs, untilMs), litres: null })
  const levelL = known?.kind === 'start' ? known.litres : null
  return { fromMs: knownMs, levelL, isAssumed: known === undefined, steps }
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

/** Returns the crossings of the line, with those that gaps in reception hid. */
const crossingsIn = memoized((carRace: FuelledCar): Crossing[] => {
  const usualMs = median(comparedTimes(carRace.laps)) || carRace.plan?.lapMs
  const seen = withoutRolls(crossedLaps(carRace.laps)).map((lap): Crossing => {
    const yellow = usualMs ? yellowPart(lap, usualMs, carRace.visits) : 0
    return { at: lap.startedAt + lap.timeMs, yellow, isHidden: false }
  })
  const hidden = hiddenLapsOf(carRace).flatMap(({ at }) => at)
  return [...seen, ...hidden.map((at): Crossing => ({ at, yellow: 0, isHidden: true }))]
})

/**
 * Returns the part of a lap that was driven slowly under yellow: none of one that took the usual time, all of one that
 * took twice as long. A short yellow saves almost nothing, and the time in the pits is no slow driving.
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

/** Stands in for the time of a lap that is not known. */
const assumedLapMs = 90_000

/** Returns whether the car is in its box at a time, on another visit to the pits than that of the known level. */
function inBox({ visits }: FuelledCar, { fromMs }: FuelSince, atMs: number): boolean {
  const visit = visitAt(visits, atMs, Number.POSITIVE_INFINITY)
  return visit !== undefined && fromMs < visit.startedAt
}

/**
 * Returns the steps with only that share of the first lap which the car drove from the place of the known level to the
 * line. In the box, after whole laps from there, the first lap counts whole.
 */
function withFirstShare(carRace: FuelledCar, { fromMs, steps }: FuelSince): readonly FuelStep[] {
  const crossing = crossingsIn(carRace).find(({ at }) => at > fromMs)
  const [first, ...others] = steps
  if (!crossing || !first || first.greenLaps + first.yellowLaps === 0) return steps
  const restLaps = 1 - shareBefore(carRace, crossing.at, fromMs)
  const greenLaps = first.greenLaps - restLaps * (1 - crossing.yellow)
  const yellowLaps = first.yellowLaps - restLaps * crossing.yellow
  return [{ ...first, greenLaps, yellowLaps }, ...others]
}

/**
 * Returns the share of a lap, by its usual time, that the car drove before it crossed the line: from the exit of the pits
 * in which the level was known; in the first lap of a drive from the pits or, on the grid, from the start of the race.
 * Any other lap counts whole, which is at most one too many.
 */
function shareBefore({ laps, visits, race, plan }: FuelledCar, crossedMs: number, fromMs: number) {
  const lap = laps.find(({ startedAt, timeMs }) => startedAt + timeMs === crossedMs)
  const isOut = lap?.kind === 'out'
  const visit =
    visitAt(visits, fromMs, crossedMs) ??
    (isOut ? endedIn(visits, lap.startedAt, crossedMs) : undefined)
  if (!visit && !isOut) return 1
  const beganMs = visit
    ? (visit.endedAt ?? crossedMs)
    : Math.max(lap?.startedAt ?? 0, race?.startedAt ?? 0)
  const times = comparedTimes(laps)
  // The faster of both: a share that is too large is on the safe side.
  const usualMs = Math.min(median(times), median(times.slice(-5))) || plan?.lapMs || assumedLapMs
  return Math.min(1, Math.max(0, (crossedMs - beganMs) / usualMs))
}

function endedIn(visits: readonly Visit[], fromMs: number, toMs: number): Visit | undefined {
  return visits.findLast(({ startedAt, endedAt }) => startedAt < toMs && (endedAt ?? toMs) > fromMs)
}

/**
 * Counts crossings of the line. Between two fills they are the laps exactly, because the box stays at its place; the
 * lap in which the car left its box counts whole. Hidden laps count as green.
 */
function lapsBetween(carRace: FuelledCar, fromMs: number, toMs: number) {
  const between = crossingsIn(carRace).filter(({ at }) => at > fromMs && at <= toMs)
  const yellowLaps = between.reduce((sum, { yellow }) => sum + yellow, 0)
  const hiddenLaps = between.filter(({ isHidden }) => isHidden).length
  return { greenLaps: between.length - yellowLaps, yellowLaps, hiddenLaps }
}
