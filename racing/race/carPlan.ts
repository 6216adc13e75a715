import type { CarRace, Fill, PlanEntry, RaceEntry } from './carRace.ts'
import { racedStints } from './carStints.ts'
import { fuelOf } from './fuel.ts'
import { fillOfStop, lacksLitres } from './lacksLitres.ts'
import { finishLapsOf, fuelLapsOf } from './lapsToPit.ts'
import { paceOf } from './pace.ts'
import { layPlan, type Plan } from './plan.ts'
import type { FixedStint, PlanRequest, RacedStint } from './planTypes.ts'
import { countedMs, type RaceTimes, raceMsAt } from './raceClock.ts'
import { timesOfCar } from './raceResult.ts'
import { rulesOfLength, stopRule } from './rules.ts'
import { isSameStop } from './sameChange.ts'
import type { DrivenStint } from './stintClock.ts'
import type { Visit } from './stopClock.ts'
import { currentLapMs } from './strategy.ts'

/** The plan of one car, and the values that it follows from. */
export interface LaidPlan {
  readonly request: PlanRequest
  readonly plan: Plan
}

/** Returns the plan of a car; null without a race or its length, and for one in laps while no lap time is known. */
export function carPlan(carRace: CarRace, nowMs: number): LaidPlan | null {
  const request = planRequest(carRace, nowMs)
  return request && { request, plan: layPlan(request) }
}

/** A stop that neither the team nor its series has a time for. */
const usualStopMs = 120_000

/** Returns all that a plan follows from. */
export function planRequest(carRace: CarRace, nowMs: number): PlanRequest | null {
  const { race, plan, laps } = carRace
  if (!race || !plan) return null
  const lapMs = paceOf(laps)?.medianMs ?? plan.lapMs
  const expectedMs = expectedRaceMs(race, lapMs)
  if (expectedMs === null) return null
  const times = { ...timesOfCar(race, carRace), lengthMs: expectedMs }
  const { endedAt } = times
  const raceNowMs = raceMsAt(times, nowMs)
  const raceMs = endedAt === null ? expectedMs : raceNowMs
  const stints = racedStints(carRace, times, nowMs)
  const driven = stints.map(
    ({ driverId, from, to, hadYellow }): RacedStint => ({
      driver: driverId,
      fromMs: raceMsAt(times, from),
      toMs: to === null && endedAt === null ? null : raceMsAt(times, to ?? nowMs),
      hadYellow,
      startedAt: from,
    }),
  )
  const stops = stopsIn(stints, carRace, times)
  const last = stops.at(-1)
  return {
    raceMs,
    nowMs: raceNowMs,
    lapLeftMs: lapLeftMs(carRace, lapMs, nowMs),
    driven,
    stopsInStints: stops.length,
    stoppedAtMs: last?.stint.to === null ? raceMsAt(times, last.endedAt) : null,
    otherMs: timeInOtherCars(carRace, times, nowMs),
    drivers: orderOf(plan, carRace),
    fixed: plan.stints.map(
      ({ number, driverId, lengthMs }): FixedStint => ({ number, driver: driverId, lengthMs }),
    ),
    stopMs: plan.stopMs ?? stopRule(race.rules, true)?.minimumMs ?? usualStopMs,
    lapMs,
    ...fuelTimes(carRace, { nowMs, raceNowMs, lapMs, driven }),
    rules: race.length?.in === 'time' ? rulesOfLength(race.rules, race.length.ms) : race.rules,
  }
}

/** Returns the time until a car crosses the line by its usual lap; 0 while that is not known, and in a slower lap. */
function lapLeftMs(carRace: CarRace, lapMs: number | null, nowMs: number): number {
  const elapsedMs = currentLapMs(carRace, nowMs)
  return elapsedMs === null || lapMs === null ? 0 : Math.max(0, lapMs - elapsedMs)
}

/** Returns lap time and fuel of a full tank as they were known at a time: a plan that was made then followed from them. */
export function knownAt(
  carRace: CarRace,
  atMs: number,
): Pick<PlanRequest, 'lapMs' | 'fuelMs' | 'toFinish'> {
  const before = knownBefore(carRace, atMs + 1)
  const lapMs = paceOf(before.laps)?.medianMs ?? carRace.plan?.lapMs ?? null
  return { lapMs, ...fuelTimes(before, { nowMs: atMs, raceNowMs: 0, lapMs, driven: [] }) }
}

/** Returns a car with what was known before a time of its laps, visits to the pits and fills. */
export function knownBefore(carRace: CarRace, atMs: number): CarRace {
  const { laps, visits, fills } = carRace
  return {
    ...carRace,
    laps: laps.filter(({ startedAt, timeMs }) => startedAt + timeMs < atMs),
    visits: visits.filter(({ startedAt }) => startedAt < atMs),
    fills: fills.filter(({ at }) => at < atMs),
  }
}

/** Returns a car as it was known when it came into the pits, with its driver then. */
export function knownAtEntry(carRace: CarRace, enteredAt: number): CarRace {
  const stints = carRace.stints
    .filter(({ from }) => from < enteredAt)
    .map(stint => ((stint.to ?? 0) >= enteredAt ? { ...stint, to: null } : stint))
  const race = carRace.race && { ...carRace.race, endedAt: null }
  return { ...knownBefore(carRace, enteredAt), race, finishShownAt: undefined, stints }
}

/** Returns the stops of a car in its race without a driver change, in order of time. */
function stopsIn(
  stints: readonly DrivenStint[],
  { visits, fills }: Pick<CarRace, 'visits' | 'fills'>,
  { startedAt, endedAt: finishedAt }: Pick<RaceTimes, 'startedAt' | 'endedAt'>,
): { readonly stint: DrivenStint; readonly endedAt: number }[] {
  const isRaced = (at: number) =>
    at >= (startedAt ?? Number.POSITIVE_INFINITY) && at < (finishedAt ?? Number.POSITIVE_INFINITY)
  const seen = visits.filter(({ stoppedAt }) => stoppedAt !== null)
  const filled = unseenStops(
    stints,
    seen,
    fills.filter(({ at }) => isRaced(at)),
  )
  return [...seen, ...filled.map(at => ({ startedAt: at, endedAt: at }))]
    .flatMap(({ startedAt, endedAt }) => {
      if (endedAt === null || !isRaced(startedAt)) return []
      const stint = stints.find(
        ({ from, to }) => from < startedAt && (to ?? Number.POSITIVE_INFINITY) > endedAt,
      )
      return stint ? [{ stint, endedAt }] : []
    })
    .toSorted((a, b) => a.endedAt - b.endedAt)
}

/**
 * Returns when a car was refuelled in stops that neither positions nor a driver change show. The first fill after a known
 * stop may have been entered late: it is of that one.
 */
function unseenStops(
  stints: readonly DrivenStint[],
  seen: readonly Visit[],
  fills: readonly Fill[],
): number[] {
  const changed = stints.flatMap(({ from, to }, index) => (index === 0 ? [to] : [from, to]))
  const visited = seen.flatMap(({ startedAt, endedAt }) => [startedAt, endedAt])
  const known = [...changed, ...visited].filter(at => at !== null)
  const filledAt = fills.filter(({ kind }) => kind !== 'start').map(({ at }) => at)
  return filledAt.filter((at, index) => {
    const before = filledAt[index - 1] ?? Number.NEGATIVE_INFINITY
    const isOfKnown = known.some(
      stop =>
        isSameStop(stop, at, seen) ||
        (before < stop && stop < at && !isSameStop(before, stop, seen)),
    )
    return !isOfKnown && !isSameStop(before, at, seen)
  })
}

function expectedRaceMs({ length }: RaceEntry, lapMs: number | null): number | null {
  if (length?.in === 'time') return length.ms
  return length === null || lapMs === null ? null : Math.round(length.laps * lapMs)
}

/** Returns the race time that drivers have driven in other cars. */
function timeInOtherCars(
  { otherCars }: Pick<CarRace, 'otherCars'>,
  times: RaceTimes,
  nowMs: number,
): Map<string, number> {
  const driven = new Map<string, number>()
  for (const { driverId, from, to } of otherCars) {
    const ms = countedMs(times, from, Math.min(to ?? nowMs, nowMs))
    driven.set(driverId, (driven.get(driverId) ?? 0) + ms)
  }
  return driven
}

/** The drivers of the plan who can drive; without any, all of the team. */
function orderOf({ driverIds }: PlanEntry, { drivers }: Pick<CarRace, 'drivers'>): string[] {
  const able = drivers.filter(({ archived }) => !archived).map(({ id }) => id)
  const chosen = driverIds.filter(id => able.includes(id))
  return chosen.length > 0 ? chosen : able
}

/** Returns how long a full tank lasts, and the current stint with the fuel that is left: before a stop, and to the finish. */
function fuelTimes(
  carRace: CarRace,
  at: {
    nowMs: number
    raceNowMs: number
    lapMs: number | null
    driven: readonly RacedStint[]
  },
): Pick<PlanRequest, 'fuelMs' | 'currentFuelMs' | 'toFinish'> {
  const { nowMs, raceNowMs, lapMs, driven } = at
  const { car, laps, visits, fills } = carRace
  const fuel = fuelOf(carRace)
  if (!car || !fuel || lapMs === null) return { fuelMs: null, currentFuelMs: null }
  const last = laps.at(-1)
  const current = driven.at(-1)
  const visit = visits.at(-1)
  // Until the litres of a stop are entered, the tank is assumed to be full since, also for the next driver in the box.
  const isNext = visit?.endedAt === null && (current?.startedAt ?? 0) >= visit.startedAt
  const exitedAt =
    isNext && !fillOfStop(visits, fills)
      ? nowMs
      : lacksLitres(carRace)
        ? (visit?.endedAt ?? nowMs)
        : null
  // The time in a stop burns nothing.
  const sinceAt = (crossedAt: number) => Math.max(crossedAt, visit ? (visit.endedAt ?? nowMs) : 0)
  const lasts = (lapsWith: typeof fuelLapsOf) => {
    const { tankL, reserveL } = car
    const full = tankL === null ? null : { ...fuel, leftL: tankL, plusMinusL: 0, mostLeftL: tankL }
    const fuelMs = full && Math.max(1, lapsWith(full, reserveL)) * lapMs
    if (!last || !current || current.toMs !== null) return { fuelMs, currentFuelMs: null }
    const emptyAt =
      exitedAt != null && fuelMs !== null
        ? exitedAt + fuelMs
        : sinceAt(last.startedAt + last.timeMs) + lapsWith(fuel, reserveL) * lapMs
    const leftMs = Math.max(0, emptyAt - nowMs)
    return { fuelMs, currentFuelMs: raceNowMs - current.fromMs + leftMs }
  }
  return { ...lasts(fuelLapsOf), toFinish: lasts(finishLapsOf) }
}
