import { leastOf } from '#contract/shared/extremes.ts'
import { crossedLaps } from '../laps/drivenLap.ts'
import { pessimisticL } from './burn.ts'
import type { CarRace, Tank } from './carRace.ts'
import { type Fuel, fuelOf, pessimisticLeftL } from './fuel.ts'
import { lacksLitres } from './lacksLitres.ts'
import {
  finishLapsOf,
  fuelLapsOf,
  type LapLimit,
  lapsToPit,
  type PitReason,
  reserveOf,
  type TimeLimit,
} from './lapsToPit.ts'
import { type Pace, paceOf } from './pace.ts'
import { type PitLoss, pitLoss } from './pitLoss.ts'
import { raceMsAt } from './raceClock.ts'
import { type PitWindow, pitWindow, type RaceLeft, type Range, type ToGo, toGo } from './toGo.ts'

/** Limits and clocks of a car at one moment. */
export interface StrategyLimits {
  readonly nowMs: number
  /** The limits of the rules and the plan. */
  readonly times: readonly TimeLimit[]
  /** The longest stint of the series, for stops after the next one; null without a limit. */
  readonly stintMs: number | null
  readonly race: RaceLeft
  /** The lap time of the plan, until three green laps are known; null without one. */
  readonly lapMs: number | null
  /** Stops that the rules still demand. */
  readonly mandatoryStops: number
}

/** Figures derived from entries, laps and clocks. */
export interface Strategy {
  /** The fuel at this moment: less the burn of the lap so far. `fuelLapsOf` takes the level at the line, not this one. */
  readonly fuel: Fuel | null
  /** True if the litres of the last stop were not entered: the fuel is not known. */
  readonly lacksLitres: boolean
  /** Null while no lap time is known, without a limit, and if the car reaches the finish without a stop. */
  readonly lapsToPit: number | null
  /** The limit that comes first, of those in time while the laps to pit are not known; null without one. */
  readonly pitReason: PitReason | null
  /** Time left until the first limit of time, also where laps are not timed; null without one. */
  readonly limitLeftMs: number | null
  readonly toGo: ToGo | null
  readonly window: PitWindow | null
  readonly pitLoss: PitLoss | null
  /** Stops that the rules still demand. */
  readonly mandatoryStops: number
  /** Litres that a car lacks at the pessimistic burn, down to an empty tank, if it reaches the finish at the expected one; else 0. */
  readonly finishShortL: number
}

/** Returns fuel, laps to pit, laps to go, stops and the pit window. The same on the phone, the wall and the server. */
export function strategyOf(carRace: CarRace, given: StrategyLimits): Strategy {
  const { laps, visits, car: tank } = carRace
  const times = given.times.toSorted((a, b) => a.leftMs - b.leftMs)
  const limits = { ...given, times }
  const [firstTime] = times
  const lacks = lacksLitres(carRace)
  const fuel = lacks ? null : fuelOf(carRace)
  const loss = pitLoss(laps, visits)
  const { lapMs } = limits
  const pace = paceOf(laps) ?? (lapMs === null ? null : { slowestMs: lapMs, medianMs: lapMs })
  const elapsedMs = currentLapMs(carRace, limits.nowMs)
  const lapShare = pace && laps.length > 0 ? Math.min(1, (elapsedMs ?? 0) / pace.medianMs) : 0
  const known = {
    fuel: fuel && withoutLap(fuel, lapShare),
    lacksLitres: lacks,
    pitLoss: loss,
    limitLeftMs: firstTime?.leftMs ?? null,
    pitReason: firstTime?.reason ?? null,
    mandatoryStops: limits.mandatoryStops,
    finishShortL: 0,
  }
  const unlimited = { lapsToPit: null, window: null }
  if (!pace) return { ...known, ...unlimited, toGo: null }
  const figures = { pace, fuel, tank, elapsedMs, stopLossMs: loss?.greenMs ?? 0 }
  const lapLimits = (fuelLaps: typeof fuelLapsOf): LapLimit[] =>
    tank && fuel ? [{ reason: 'fuel', laps: fuelLaps(fuel, tank.reserveL) }] : []
  const finish = outlookOf(limits, figures, lapLimits(finishLapsOf))
  if (reachesFinish(finish)) {
    const finishShortL = shortOf(finish.toGo?.laps ?? 0, fuel)
    return { ...known, ...unlimited, toGo: finish.toGo, finishShortL }
  }
  const stop = outlookOf(limits, figures, lapLimits(fuelLapsOf))
  const window = lacks ? null : windowOf(stop)
  const { lapsToPit: left, pitReason, toGo: needed } = stop
  return { ...known, lapsToPit: left, pitReason, toGo: needed, window }
}

/** Returns the fuel after a part of a lap. The part is at most a lap, also while its end is not known. */
function withoutLap(fuel: Fuel, share: number): Fuel {
  const after = (litres: number) => Math.max(0, litres - share * fuel.burn.greenL)
  return { ...fuel, leftL: after(fuel.leftL), mostLeftL: after(fuel.mostLeftL) }
}

/** How far a car gets with its fuel, and what the race still needs then. */
interface Outlook {
  readonly lapsToPit: number | null
  /** Laps to the last possible stop; null if nothing limits them. */
  readonly latestLaps: number | null
  readonly pitReason: PitReason | null
  readonly range: Range
  readonly toGo: ToGo | null
}

interface CarFigures {
  readonly pace: Pace
  readonly tank: Tank | null
  readonly fuel: Fuel | null
  /** Time since the last crossing of the line, the last visit to the pits or the start; null in the pits, and before. */
  readonly elapsedMs: number | null
  /** The time that a stop costs. */
  readonly stopLossMs: number
}

function outlookOf(
  limits: StrategyLimits,
  figures: CarFigures,
  lapLimits: readonly LapLimit[],
): Outlook {
  const { race, times, mandatoryStops } = limits
  const { pace, elapsedMs, stopLossMs } = figures
  const current = { lapMs: pace.slowestMs, elapsedMs }
  const withoutStops = lapsToPit([...times, ...lapLimits], current)
  const range = rangeOf(limits, figures, withoutStops?.laps ?? null)
  const lap = { lapMs: pace.medianMs, elapsedMs, stopLossMs, mandatoryStops }
  const needed = toGo(race, range, lap)
  const stops = needed && needed.stops > 0 ? stopsLimit(limits, figures) : []
  const first = lapsToPit([...stops, ...times, ...lapLimits], current)
  const binding = times.filter(({ mayWait }) => !mayWait)
  return {
    lapsToPit: first?.laps ?? null,
    latestLaps: lapsToPit([...stops, ...binding, ...lapLimits], current)?.laps ?? null,
    pitReason: first?.reason ?? null,
    range,
    toGo: needed,
  }
}

/** Returns the limit of the next required stop: each of those that are missing needs a lap after it, begun in the race. */
function stopsLimit(
  { race, mandatoryStops }: StrategyLimits,
  { pace, stopLossMs }: CarFigures,
): (TimeLimit | LapLimit)[] {
  if (mandatoryStops === 0) return []
  const reason = 'stops'
  if (race.laps !== null) return [{ reason, laps: race.laps - mandatoryStops }]
  if (race.leftMs === null) return []
  const laterMs = (mandatoryStops - 1) * pace.slowestMs + mandatoryStops * stopLossMs
  // The lap after the last stop begins before the time is up.
  return [{ reason, leftMs: race.leftMs - laterMs - 1 }]
}

/** True if no limit ends before the race, and no stop is demanded. */
function reachesFinish({ lapsToPit: left, toGo: needed }: Outlook): boolean {
  return needed !== null && left !== null && needed.stops === 0 && left + 1 >= needed.laps
}

/** The reserve is there for a burn that is higher than expected: only fuel beyond it must be saved. */
function shortOf(laps: number, fuel: Fuel | null): number {
  return fuel ? Math.max(0, laps * pessimisticL(fuel.burn) - pessimisticLeftL(fuel)) : 0
}

function windowOf({ lapsToPit: left, latestLaps, range, toGo: needed }: Outlook): PitWindow | null {
  return needed && left !== null
    ? pitWindow(needed, range, latestLaps ?? Number.POSITIVE_INFINITY)
    : null
}

/**
 * Returns the time since the last crossing of the line or the last visit to the pits, before both since the start of the
 * race, without pauses of its clock; null in the pits, and before.
 */
export function currentLapMs(
  { race, laps, visits }: Pick<CarRace, 'race' | 'laps' | 'visits'>,
  nowMs: number,
): number | null {
  const last = laps.at(-1)
  const visit = visits.at(-1)
  const since = (startedAt: number) =>
    raceMsAt({ lengthMs: null, startedAt, pauses: race?.pauses ?? [], endedAt: null }, nowMs)
  if (!last && !visit && race?.startedAt != null) return since(race.startedAt)
  if (!last || crossedLaps([last]).length === 0 || visit?.endedAt === null) return null
  return since(Math.max(last.startedAt + last.timeMs, visit?.endedAt ?? 0))
}

/** Returns how far the car gets before fuel or stint end: from now, and after a stop. */
function rangeOf(
  { stintMs }: StrategyLimits,
  { pace, tank, fuel }: CarFigures,
  left: number | null,
): Range {
  const stintLaps = stintMs === null ? null : Math.floor(stintMs / pace.slowestMs)
  const tankLaps = tank && fuel && tankLapsOf(tank, fuel)
  const full = [stintLaps, tankLaps].filter(laps => laps !== null)
  return {
    leftLaps: left === null ? null : left + 1,
    fullLaps: full.length === 0 ? null : Math.max(1, leastOf(full)),
  }
}

/** Returns the laps of a full tank above the reserve; null if the size of the tank is not known. */
function tankLapsOf({ tankL, reserveL }: Tank, { burn }: Fuel): number | null {
  if (tankL === null) return null
  const burnL = pessimisticL(burn)
  return Math.floor((tankL - reserveOf(reserveL, burnL)) / burnL)
}
