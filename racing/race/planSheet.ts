import { leastOf } from '#contract/shared/extremes.ts'
import type { Burn } from './burn.ts'
import { knownAt, type LaidPlan } from './carPlan.ts'
import type { CarRace } from './carRace.ts'
import { fillsOfVisit } from './currentStop.ts'
import { burnOf, type Fuel, fuelOf } from './fuel.ts'
import { lacksLitres, stopsWithoutLitres } from './lacksLitres.ts'
import { fuelForLaps, lastFillL, roundingLaps } from './lapsToPit.ts'
import { wholeLapsMs } from './layouts.ts'
import { isNoStop } from './noStop.ts'
import { plannedFill } from './plannedFill.ts'
import type { LaidStint, RuleLimit } from './planTypes.ts'
import { raceMsAt } from './raceClock.ts'
import { completedLaps } from './raceLaps.ts'
import { hasFinished, timesOfCar } from './raceResult.ts'
import { requiredStops, stintLimitMs, stopRule } from './rules.ts'
import { drivenAt } from './stintOfLap.ts'
import { isEntryUnseen } from './stopClock.ts'

/** The limit that ends a planned stint. */
export type StintEnd =
  | { readonly by: 'fuel'; readonly laps: number }
  | { readonly by: RuleLimit; readonly ms: number }
  /** The stops that the rules require. */
  | { readonly by: 'stops'; readonly count: number }
  | { readonly by: 'hand' }
  | { readonly by: 'race' }

/** A stint of a plan with what follows from it. */
export interface SheetStint extends LaidStint {
  /** Laps that it has, or will have; null while no lap time is known. */
  readonly laps: number | null
  /** Laps so far of the current stint. */
  readonly drivenLaps: number
  /** Null: it has ended. */
  readonly end: StintEnd | null
  /** Laps by which a driven stint was shorter than planned at its start; null if it was not, or without a limit. */
  readonly lapsShort: number | null
  /** Fuel for the stop after it: entered, or else needed by the plan. Null if it is not known, or without a stop. */
  readonly litres: number | null
}

/** A visit to the pits: a stop, or none. */
export interface MadeVisit {
  /** When the car came in, on the server's clock, while it is in the pits; else null. */
  readonly openSince: number | null
  /** False for a visit that `isNoStop`. */
  readonly isStop: boolean
  /** The number of the stint before it. */
  readonly after: number
  /** As its minimum counts it: in the pit lane, or standing. 0 while the car is in the pits. */
  readonly ms: number
  /** Time over its minimum, negative below it; null without one, and for the lane if no position shows the pit-in. */
  readonly overMs: number | null
  /** True if it was yellow at the pit entry or for most of the stop. */
  readonly isYellow: boolean
  /** Entered litres, while the car is in the pits also planned ones; null without either. */
  readonly litres: number | null
  /** True if the litres were not entered, so that the fuel is not known. */
  readonly lacksLitres: boolean
}

/** A change that would save a stop. */
export type FewerStops =
  | { readonly by: 'tank'; readonly litres: number; readonly stops: number }
  | { readonly by: 'stint'; readonly ms: number; readonly stops: number }

export interface PlanSheet {
  readonly stints: readonly SheetStint[]
  readonly stops: number
  /** Stops that were made, and visits to the pits that were none, in order of time. */
  readonly visits: readonly MadeVisit[]
  /** How many stops were made. */
  readonly made: number
  /** How many of them were shorter than the minimum: they count, because series differ. */
  readonly short: number
  /** How many visits were no stop. */
  readonly noStops: number
  /** The limit that ends most of the planned stints; null if none is planned. */
  readonly limit: StintEnd | null
  /** The burn by which fuel is calculated; null if it is not known. */
  readonly burn: Burn | null
  /** Null if nothing that is known would save one. */
  readonly fewer: FewerStops | null
  /** Time of each driver in this race, in the order of their first stint. */
  readonly drivers: readonly { readonly driver: string; readonly ms: number }[]
}

/**
 * Returns laps, fuel and limits of the stints of a plan, and the time of each driver. `lapsLeft` are the laps of the
 * current stint from the last crossing of the line on, as every screen shows them; null: they follow from the plan.
 */
export function planSheet(
  carRace: CarRace,
  laid: LaidPlan,
  lapsLeft: number | null = null,
): PlanSheet {
  const { stints } = laid.plan
  const ends = stints.map((stint, index) => endOf(laid, stint, index === stints.length - 1))
  const laps = stints.map(stint => lapsOf(carRace, laid, { stint, lapsLeft }))
  const litres = plannedLitres(carRace, laid, { laps, ends })
  const visits = madeVisits(carRace, laid)
  const ended = visits.filter(({ openSince }) => openSince === null)
  const made = ended.filter(({ isStop }) => isStop)
  return {
    stints: stints.map((stint, index) => ({
      ...stint,
      laps: laps[index] ?? null,
      drivenLaps: drivenLaps(carRace, laid, stint),
      end: ends[index] ?? null,
      lapsShort: index < stints.length - 1 ? lapsShort(carRace, laid, stint) : null,
      litres: litres[index] ?? null,
    })),
    // A stop without a driver change begins no stint.
    stops: Math.max(0, stints.length - 1, made.length),
    visits,
    made: made.length,
    noStops: ended.length - made.length,
    short: made.filter(({ overMs }) => overMs !== null && overMs < 0).length,
    limit: mostFrequent(ends.filter(end => end !== null && end.by !== 'race')),
    burn: burnOf(carRace),
    fewer: fewerStops(carRace, laid),
    drivers: driverTimes(laid),
  }
}

/** Returns the limit that a stint reaches first; null once it has ended. */
function endOf({ plan, request }: LaidPlan, stint: LaidStint, isLast: boolean): StintEnd | null {
  if (stint.state === 'driven') return null
  if (isLast) return { by: 'race' }
  const { rules, fixed, lapMs, raceMs } = request
  if (fixed.some(({ number, lengthMs }) => number === stint.number && lengthMs !== null))
    return { by: 'hand' }
  const limits: { ms: number; end: StintEnd }[] = []
  const fuelMs = fuelMsOf(request, stint)
  if (fuelMs !== null && lapMs !== null)
    limits.push({ ms: fuelMs, end: { by: 'fuel', laps: Math.max(1, Math.round(fuelMs / lapMs)) } })
  const stintMs = stintLimitMs(rules, stint.hadYellow === true)
  if (stintMs !== null) limits.push({ ms: stintMs, end: { by: 'stint', ms: stintMs } })
  const { maxDriverMs, inARow } = rules
  if (maxDriverMs !== null)
    limits.push({
      ms: maxDriverMs - msBefore({ plan, request }, stint),
      end: { by: 'driver', ms: maxDriverMs },
    })
  if (inARow) limits.push({ ms: inARow.maxMs, end: { by: 'rest', ms: inARow.maxMs } })
  const required = requiredStops(rules, raceMs)
  const first = limits.toSorted((a, b) => a.ms - b.ms)[0]
  // Without the required stops there would be fewer stints.
  if (
    required > 0 &&
    plan.stints.length - 1 <= required &&
    (!first || longerMs({ plan, request }) <= first.ms)
  )
    return { by: 'stops', count: required }
  return first?.end ?? null
}

/** Compares a driven stint with an equal share of the race from its start, or with its manually set length. */
function lapsShort(carRace: CarRace, { plan, request }: LaidPlan, stint: LaidStint): number | null {
  const { rules, fixed, driven, raceMs, stopMs } = request
  const { startedAt } = driven[stint.number - 1] ?? {}
  const { lapMs, fuelMs, toFinish } =
    startedAt === undefined ? request : knownAt(carRace, startedAt)
  if (stint.state !== 'driven' || lapMs === null) return null
  const byHand = fixed.find(({ number }) => number === stint.number)?.lengthMs ?? null
  const limits = ruleLimitsMs({ plan, request }, stint).map(ms => Math.max(lapMs, ms))
  const whole = limits.map(ms => wholeLapsMs(ms, lapMs))
  const longestMs = leastOf([...whole, fuelMs].filter(ms => ms != null))
  if (byHand === null && !Number.isFinite(longestMs)) return null
  const lastMs = leastOf([...limits, toFinish?.fuelMs ?? fuelMs].filter(ms => ms != null))
  const restMs = raceMs - stint.fromMs
  const stops = requiredStops(rules, raceMs) - (stint.number - 1)
  const forLimit = Math.ceil((restMs - lastMs) / (longestMs + stopMs))
  const stints = 1 + Math.max(0, stops, Number.isFinite(longestMs) ? forLimit : 0)
  const plannedMs = byHand ?? (restMs - (stints - 1) * stopMs) / stints
  const laps = Math.round((plannedMs - (stint.toMs - stint.fromMs)) / lapMs)
  return laps > 0 ? laps : null
}

function fuelMsOf({ fuelMs, currentFuelMs }: LaidPlan['request'], { state }: LaidStint) {
  return state === 'now' ? (currentFuelMs ?? fuelMs) : fuelMs
}

/** Returns the time that the driver of a stint has before it, in all cars. */
function msBefore({ plan, request }: LaidPlan, { driver, number }: LaidStint): number {
  const before = plan.stints.filter(stint => stint.driver === driver && stint.number < number)
  const otherMs = driver === null ? 0 : (request.otherMs?.get(driver) ?? 0)
  return before.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, otherMs)
}

/** Returns how long the stints that have not ended would be with one of them less. */
function longerMs({ plan, request }: LaidPlan): number {
  const open = plan.stints.filter(({ state }) => state !== 'driven')
  const drivingMs = open.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
  return open.length < 2
    ? Number.POSITIVE_INFINITY
    : (drivingMs + request.stopMs) / (open.length - 1)
}

function lapsOf(
  carRace: CarRace,
  laid: LaidPlan,
  { stint, lapsLeft }: { stint: LaidStint; lapsLeft: number | null },
): number | null {
  const { state, number } = stint
  if (state === 'driven') return drivenLaps(carRace, laid, stint)
  const isLast = number === laid.plan.stints.length
  // Before the start, the first stint is the next one. While no race clock runs, only the plan ends the last stint.
  if (lapsLeft !== null && (state === 'now' || (number === 1 && !isLast)))
    return drivenLaps(carRace, laid, stint) + lapsLeft
  const { lapMs, nowMs } = laid.request
  if (lapMs === null) return null
  const allowedMs = stint.fromMs + leastOf(ruleLimitsMs(laid, stint))
  // The lap in which the race ends is finished. Before it, the lap that ends nearest to the planned end, but none that ends
  // after a limit of the rules.
  const lapsFrom = (atMs: number) =>
    isLast
      ? Math.ceil((stint.toMs - atMs) / lapMs - roundingLaps)
      : Math.min(Math.round((stint.toMs - atMs) / lapMs), Math.floor((allowedMs - atMs) / lapMs))
  if (state === 'next') return Math.max(1, lapsFrom(stint.fromMs))
  const left = lapsFrom(Math.max(nowMs, stint.fromMs))
  return drivenLaps(carRace, laid, stint) + Math.max(0, left)
}

/** Returns the longest times that the rules allow a stint: by itself, for its driver in the race, and in a row. */
function ruleLimitsMs({ plan, request }: LaidPlan, stint: LaidStint): number[] {
  const { rules } = request
  const driverMs =
    rules.maxDriverMs === null ? null : rules.maxDriverMs - msBefore({ plan, request }, stint)
  const limits = [stintLimitMs(rules, stint.hadYellow === true), driverMs, rules.inARow?.maxMs]
  return limits.filter(ms => ms != null)
}

/** Counts the laps of the race that were driven in a stint, as the result counts those of the race. */
function drivenLaps(
  { laps, race }: CarRace,
  { request: { driven } }: LaidPlan,
  { state, number }: LaidStint,
): number {
  if (state === 'next' || !race || race.startedAt === null) return 0
  const before = number === 1 ? 0 : completedLaps(laps, driven[number - 1]?.startedAt, drivenAt)
  return completedLaps(laps, driven[number]?.startedAt, drivenAt) - before
}

/** Returns the litres of the stop after each stint: what the rest of the race lacks, and no more than the tank takes. */
function plannedLitres(
  carRace: CarRace,
  laid: LaidPlan,
  { laps, ends }: { laps: readonly (number | null)[]; ends: readonly (StintEnd | null)[] },
): (number | null)[] {
  const { car, race } = carRace
  const { stints } = laid.plan
  const { lapMs, raceMs } = laid.request
  const burn = burnOf(carRace)
  const tankL = car?.tankL ?? null
  const stopL = levelAfterStop(carRace)
  // The level at the start of each stint.
  let startL = stopL ?? tankL
  if (lacksLitres(carRace)) return stints.map(() => null)
  return stints.map((stint, index) => {
    if (index === stints.length - 1 || stint.state === 'driven') return null
    const own = laps[index]
    const after = laps.slice(index + 1).filter(each => each !== null)
    if (!car || tankL === null || startL === null || !burn || own == null) return null
    if (index + 1 + after.length < laps.length) return null
    const level = stopL === null ? levelIn(carRace, stint) : null
    const lapsLeft = level ? own - drivenLaps(carRace, laid, stint) : own
    const leftL = Math.max(0, (level?.leftL ?? startL) - lapsLeft * burn.greenL)
    const plannedLaps = after.reduce((sum, each) => sum + each, 0)
    // Stops take no laps from a race in laps.
    const rest = lapsAfter(race, laps.slice(0, index + 1)) ?? plannedLaps
    const isForFuel =
      index === stints.length - 2 &&
      ends[index]?.by === 'fuel' &&
      lapMs !== null &&
      race?.length?.in === 'time'
    const savedLaps = isForFuel ? Math.ceil((raceMs - stint.toMs) / lapMs) - rest : 0
    const neededL = lastFillL(leftL, { laps: rest, savedLaps }, { burn, reserveL: car.reserveL })
    const litres = Math.min(Math.ceil(tankL - leftL), neededL)
    startL = Math.min(tankL, leftL + litres)
    return litres
  })
}

/** Returns the fuel that is left in the current stint, or as entered before the first one; null if the plan assumes it. */
function levelIn(carRace: CarRace, { state, number }: LaidStint): Fuel | null {
  if (state !== 'now' && number > 1) return null
  const fuel = fuelOf(carRace)
  return state === 'now' || fuel?.isAssumed === false ? fuel : null
}

/** Returns the level after the current stop, whose litres are planned and not entered yet; null without one. */
function levelAfterStop(carRace: CarRace): number | null {
  const { race, visits } = carRace
  const visit = visits.at(-1)
  const isInRace = visit && race && visit.startedAt > (race.startedAt ?? Number.POSITIVE_INFINITY)
  if (!isInRace || visit.endedAt !== null || fillsOfVisit(carRace, visit).length > 0) return null
  const fuel = fuelOf(carRace)
  return fuel && fuel.leftL + (plannedFill(carRace, visit.startedAt)?.litres ?? 0)
}

/** Returns the laps that a race in laps has left after these stints; null for another race, or one that is not known. */
function lapsAfter(race: CarRace['race'], stintLaps: readonly (number | null)[]): number | null {
  if (race?.length?.in !== 'laps') return null
  const laps = stintLaps.filter(each => each !== null)
  const sum = laps.reduce((before, each) => before + each, 0)
  return laps.length < stintLaps.length ? null : Math.max(0, race.length.laps - sum)
}

function madeVisits(carRace: CarRace, { plan, request }: LaidPlan): MadeVisit[] {
  const { race, visits, yellowTimes = [] } = carRace
  if (!race || race.startedAt === null) return []
  const { startedAt } = race
  const finishedAt = timesOfCar(race, carRace).endedAt ?? Number.POSITIVE_INFINITY
  const isOver = hasFinished(carRace)
  const lacking = lacksLitres(carRace) ? stopsWithoutLitres(carRace) : []
  const times = { ...race, lengthMs: request.raceMs }
  return visits.flatMap(visit => {
    const { endedAt, stoppedAt, leftAt } = visit
    const isStop = stoppedAt !== null
    if (endedAt !== null && !isStop && !isNoStop(carRace, visit)) return []
    if (visit.startedAt < startedAt || visit.startedAt > finishedAt) return []
    const atMs = raceMsAt(times, visit.startedAt)
    const after = plan.stints.findLast(({ fromMs, state }) => state !== 'next' && fromMs <= atMs)
    if (!after) return []
    const added = fillsOfVisit(carRace, visit)
    const sumL = added.length === 0 ? null : added.reduce((sum, { litres }) => sum + litres, 0)
    if (endedAt === null)
      return {
        openSince: visit.startedAt,
        isStop,
        after: after.number,
        ms: 0,
        overMs: null,
        isYellow: false,
        litres: sumL ?? (isOver ? null : (plannedFill(carRace, visit.startedAt)?.litres ?? null)),
        lacksLitres: false,
      }
    const rule = stopRule(
      race.rules,
      added.some(({ litres }) => litres > 0),
    )
    const isStanding = isStop && rule?.counts === 'standing' && leftAt !== null
    const ms = isStanding ? leftAt - stoppedAt : endedAt - visit.startedAt
    return {
      openSince: null,
      isStop,
      after: after.number,
      ms,
      overMs: isStop && rule && (isStanding || !isEntryUnseen(visit)) ? ms - rule.minimumMs : null,
      isYellow: isUnderYellow(yellowTimes, { from: visit.startedAt, to: endedAt }),
      litres: sumL,
      lacksLitres: lacking.includes(visit),
    }
  })
}

/** A stop is cheap if the car came in under yellow, or if most of the stop was. Times are in order, and may overlap. */
function isUnderYellow(
  yellowTimes: NonNullable<CarRace['yellowTimes']>,
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  const isAtEntry = yellowTimes.some(time => time.from <= from && (time.to ?? to) > from)
  let yellowMs = 0
  let countedTo = from
  for (const time of yellowTimes) {
    const untilMs = Math.min(time.to ?? to, to)
    yellowMs += Math.max(0, untilMs - Math.max(time.from, countedTo))
    countedTo = Math.max(countedTo, untilMs)
  }
  return isAtEntry || yellowMs > (to - from) / 2
}

function fewerStops(carRace: CarRace, laid: LaidPlan): FewerStops | null {
  const { plan, request } = laid
  const { car } = carRace
  const stops = plan.stints.length - 2
  const open = plan.stints.filter(({ state }) => state !== 'driven')
  if (stops < requiredStops(request.rules, request.raceMs) || open.length < 2) return null
  const neededMs = longerMs(laid)
  const { lapMs, fuelMs } = request
  const stintMs = request.rules.maxStintMs
  const isFuelShort = fuelMs !== null && fuelMs < neededMs
  const isStintShort = stintMs !== null && wholeLapsMs(stintMs, lapMs) < neededMs
  if (isFuelShort === isStintShort) return null
  const wholeMs = lapMs === null ? neededMs : Math.ceil(neededMs / lapMs) * lapMs
  if (isStintShort) return { by: 'stint', ms: Math.ceil(wholeMs / 60_000) * 60_000, stops }
  const burn = burnOf(carRace)
  if (!car || lapMs === null || !burn) return null
  const litres = Math.ceil(fuelForLaps(Math.ceil(neededMs / lapMs), burn, car.reserveL))
  return { by: 'tank', litres, stops }
}

function driverTimes({ plan, request }: LaidPlan) {
  const times = new Map<string, number>()
  for (const { driver, fromMs, toMs } of plan.stints)
    if (driver !== null)
      times.set(driver, (times.get(driver) ?? request.otherMs?.get(driver) ?? 0) + toMs - fromMs)
  return [...times].map(([driver, ms]) => ({ driver, ms }))
}

function mostFrequent(ends: readonly (StintEnd | null)[]): StintEnd | null {
  const counts = new Map<string, StintEnd[]>()
  for (const end of ends) if (end) counts.set(end.by, [...(counts.get(end.by) ?? []), end])
  const [most] = [...counts.values()].toSorted((a, b) => b.length - a.length)
  return most?.[0] ?? null
}
