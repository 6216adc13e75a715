import type { RaceRules } from '#contract/shared/raceRules.ts'
import type { DrivenLap } from '../laps/drivenLap.ts'
import type { FuelUse } from './burn.ts'
import { type Fill, type FuelSince, fuelOf, type Tank } from './fuel.ts'
import type { EarlierEnd } from './hiddenLaps.ts'
import { fuelLapsOf } from './lapsToPit.ts'
import { paceOf } from './pace.ts'
import { layPlan, type Plan } from './plan.ts'
import type { FixedStint, PlanRequest, RacedStint } from './planTypes.ts'
import { countedMs, type RaceTimes, raceMsAt, type StoredRace } from './raceClock.ts'
import { countedStints, type DrivenStint } from './stintClock.ts'
import type { Visit } from './stopClock.ts'
import { tankLapsOf } from './strategy.ts'

/** A race as it is stored. */
export interface RaceEntry extends StoredRace {
  readonly rules: RaceRules
}

/** Decisions about the stints of one car: `CarPlan` in `contract/races.ts`. */
export interface PlanEntry {
  readonly driverIds: readonly string[]
  readonly stopMs: number | null
  readonly lapMs: number | null
  readonly stints: readonly {
    readonly number: number
    readonly driverId: string | null
    readonly lengthMs: number | null
  }[]
}

/** The stored entries of one session: `stints.ofSession`. */
export interface CarEntries {
  /** Null without a car. */
  readonly car: Tank | null
  /** In order of time, at least one. */
  readonly stints: readonly {
    readonly driverId: string | null
    readonly from: number
    readonly to: number | null
    /** True if the first stint continues that of an earlier session of the car, without a stop. */
    readonly continues?: true | undefined
  }[]
  readonly fills: readonly Fill[]
  readonly pitVisits?: readonly Visit[]
  readonly race?: RaceEntry | null
  readonly plan?: PlanEntry | null
  readonly drivers?: readonly { readonly id: string; readonly archived: boolean }[]
  /** The driver of the roster who started the session; null if nobody in it is linked to that person. */
  readonly starterId?: string | null
  /** Fuel burnt in earlier sessions of the car in this race. */
  readonly earlierUses?: readonly FuelUse[]
  /** The fuel with which the car's last session of the race ended; absent without one. */
  readonly earlierFuel?: FuelSince | undefined
  /** Laps of the race that the car completed in earlier sessions. */
  readonly earlierLaps?: number | undefined
  /** The last crossing of the car in an earlier session, from which its laps go on; absent without one. */
  readonly earlierEnd?: EarlierEnd | undefined
  /** Stints of other sessions of the race, as they count. */
  readonly otherStints?: readonly OtherStint[]
  /** When the phone took over the car, if its session was started before. The session counts from then. */
  readonly takenOverAt?: number | undefined
}

export interface OtherStint {
  readonly driverId: string | null
  readonly from: number
  readonly to: number | null
  /** True if the same car was driven, before or after this session. */
  readonly isSameCar: boolean
  /** True if a lap of it was yellow; only known for the same car. */
  readonly hadYellow?: boolean
  /** Its driver drives on since the stint before it, in an earlier session of the same car, without a stop. */
  readonly continues?: true | undefined
}

/** A stint of a car, as it counts. */
export interface CarStint extends DrivenStint {
  readonly hadYellow: boolean
  /** True if it was driven in this session, or went on in it. */
  readonly isOwn: boolean
}

/** The plan of one car, and the values that it follows from. */
export interface LaidPlan {
  readonly request: PlanRequest
  readonly plan: Plan
}

/** Returns the plan of a car; null without a race, and for one in laps while no lap time is known. */
export function carPlan(
  entries: CarEntries,
  laps: readonly DrivenLap[],
  nowMs: number,
): LaidPlan | null {
  const request = planRequest(entries, laps, nowMs)
  return request && { request, plan: layPlan(request) }
}

/** A stop that neither the team nor its series has a time for. */
const usualStopMs = 120_000

/** Returns all that a plan follows from. */
export function planRequest(
  entries: CarEntries,
  laps: readonly DrivenLap[],
  nowMs: number,
): PlanRequest | null {
  const { race, plan } = entries
  if (!race || !plan) return null
  const lapMs = paceOf(laps)?.medianMs ?? plan.lapMs
  const raceMs = expectedRaceMs(race, lapMs)
  if (raceMs === null) return null
  const times = { ...race, lengthMs: raceMs }
  const raceNowMs = raceMsAt(times, nowMs)
  const driven = stintsOfCar(entries, laps, nowMs)
    .filter(({ to }) => race.startedAt !== null && (to ?? nowMs) > race.startedAt)
    .map(
      ({ driverId, from, to, hadYellow }): RacedStint => ({
        driver: driverId,
        fromMs: raceMsAt(times, from),
        toMs: to === null ? null : raceMsAt(times, to),
        hadYellow,
      }),
    )
  return {
    raceMs,
    nowMs: raceNowMs,
    driven,
    otherMs: timeInOtherCars(entries, times, nowMs),
    drivers: orderOf(plan, entries),
    fixed: plan.stints.map(
      ({ number, driverId, lengthMs }): FixedStint => ({ number, driver: driverId, lengthMs }),
    ),
    stopMs: plan.stopMs ?? race.rules.minStop?.ms ?? usualStopMs,
    lapMs,
    ...fuelTimes(entries, laps, { nowMs, raceNowMs, lapMs, driven }),
    rules: race.rules,
  }
}

function expectedRaceMs({ length }: RaceEntry, lapMs: number | null): number | null {
  if (length.in === 'time') return length.ms
  return lapMs === null ? null : Math.round(length.laps * lapMs)
}

/**
 * Returns the stints of a car in all sessions of its race, as they count, in order of time. A driver who drives on with
 * another phone drives one stint.
 */
export function stintsOfCar(
  {
    stints,
    starterId = null,
    pitVisits = [],
    otherStints = [],
    takenOverAt,
  }: Pick<CarEntries, 'stints' | 'starterId' | 'pitVisits' | 'otherStints' | 'takenOverAt'>,
  laps: readonly DrivenLap[],
  nowMs: number,
): CarStint[] {
  const own = stints.map(stint => ({ ...stint, driverId: stint.driverId ?? starterId }))
  const others = otherStints
    .filter(({ isSameCar }) => isSameCar)
    .map(stint => ({ ...stint, isOwn: false }))
  const fromMs = takenOverAt ?? own[0]?.from ?? 0
  const counted = countedStints(own, pitVisits, nowMs)
    .filter(({ to }) => to === null || to > fromMs)
    .map(stint => ({
      ...stint,
      from: Math.max(stint.from, fromMs),
      hadYellow: hadYellow(laps, stint, nowMs),
      isOwn: true,
    }))
  const joined: CarStint[] = []
  for (const stint of [...others, ...counted].sort((a, b) => a.from - b.from)) {
    const { driverId, from, to, hadYellow = false, isOwn, continues } = stint
    const each = { driverId, from, to, hadYellow, isOwn }
    const before = continues ? joined.pop() : undefined
    joined.push(
      before
        ? {
            ...each,
            from: before.from,
            hadYellow: before.hadYellow || hadYellow,
            isOwn: before.isOwn || isOwn,
          }
        : each,
    )
  }
  return joined
}

/** Returns the race time that drivers have driven in other cars. */
function timeInOtherCars(
  { otherStints = [] }: CarEntries,
  times: RaceTimes,
  nowMs: number,
): Map<string, number> {
  const driven = new Map<string, number>()
  for (const { driverId, from, to, isSameCar } of otherStints) {
    if (isSameCar || driverId === null) continue
    const ms = countedMs(times, from, Math.min(to ?? nowMs, nowMs))
    driven.set(driverId, (driven.get(driverId) ?? 0) + ms)
  }
  return driven
}

/** Returns whether a lap of a stint was yellow. */
export function hadYellow(
  laps: readonly DrivenLap[],
  { from, to }: { readonly from: number; readonly to: number | null },
  nowMs: number,
): boolean {
  return laps.some(
    ({ yellow, startedAt, timeMs }) =>
      yellow && startedAt < (to ?? nowMs) && startedAt + timeMs > from,
  )
}

/** The drivers of the plan who can drive; without any, all of the team. */
function orderOf({ driverIds }: PlanEntry, { drivers = [] }: CarEntries): string[] {
  const able = drivers.filter(({ archived }) => !archived).map(({ id }) => id)
  const chosen = driverIds.filter(id => able.includes(id))
  return chosen.length > 0 ? chosen : able
}

/** Returns how long a full tank lasts, and the current stint with the fuel that is left. */
function fuelTimes(
  { car, fills, pitVisits: visits = [], earlierUses = [], earlierFuel, earlierEnd }: CarEntries,
  laps: readonly DrivenLap[],
  at: {
    nowMs: number
    raceNowMs: number
    lapMs: number | null
    driven: readonly RacedStint[]
  },
): Pick<PlanRequest, 'fuelMs' | 'currentFuelMs'> {
  const { nowMs, raceNowMs, lapMs, driven } = at
  const fuel = car && fuelOf(car, { fills, laps, visits, earlierUses, earlierFuel, earlierEnd })
  const none = { fuelMs: null, currentFuelMs: null }
  if (!car || !fuel || lapMs === null) return none
  const tankLaps = tankLapsOf(car, fuel)
  const fuelMs = tankLaps === null ? null : Math.max(1, tankLaps) * lapMs
  const last = laps.at(-1)
  const current = driven.at(-1)
  if (!last || !current || current.toMs !== null) return { fuelMs, currentFuelMs: null }
  const leftMs = last.startedAt + last.timeMs + fuelLapsOf(fuel, car.reserveL) * lapMs - nowMs
  return { fuelMs, currentFuelMs: raceNowMs - current.fromMs + Math.max(0, leftMs) }
}
