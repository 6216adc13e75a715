import {
  type Crew,
  canTryAll,
  combinations,
  inTurn,
  type OpenSlot,
  severalInARow,
} from './assign.ts'
import {
  brokenLimits,
  fuelLimitMs,
  inARowBefore,
  leastBetweenStopsMs,
  sumMs,
} from './brokenLimits.ts'
import { divideTime, type Slot } from './lengths.ts'
import type { FixedStint, LaidStint, PlanRequest } from './planTypes.ts'
import { stintLimitMs } from './rules.ts'

/** Stints of a race until now. */
export interface History {
  readonly driven: readonly LaidStint[]
  /** The stint that is driven now; null before the start, and in a stop. */
  readonly current: {
    readonly driver: string | null
    readonly fromMs: number
    /** Its time up to the last stop in it, after which the same driver drove on. The rest of the race is divided from there. */
    readonly beforeMs: number
    readonly hadYellow: boolean
  } | null
}

/** A division of the rest of a race into a number of stints. */
export interface Division extends History {
  /** The stints to lay out, with drivers and lengths that were set by hand. */
  readonly slots: readonly (FixedStint | undefined)[]
  readonly startMs: number
  readonly drivingMs: number
  /** Time that the next stop takes beyond the usual one. */
  readonly longerMs: number
}

/**
 * Returns layouts, the preferred one first. Combinations that become few enough to be tried only while the race goes on
 * come last, so that a plan does not change when it is driven as planned.
 */
export function* layouts(
  request: PlanRequest,
  divisions: readonly Division[],
): Generator<LaidStint[]> {
  const later: Division[] = []
  for (const division of divisions) {
    const { crew, open, usualMs } = rosterOf(request, division)
    yield* withDrivers(request, division, inTurn(open, crew, usualMs))
    const stints = division.driven.length + open.length
    if (canTryAll(crew.drivers.length, stints)) {
      yield* withDrivers(request, division, allOrders(division, crew, open))
      continue
    }
    yield* withDrivers(request, division, severalInARow(open, crew, usualMs))
    const choices = open.filter(({ driver }) => driver === null).length
    if (canTryAll(crew.drivers.length, choices)) later.push(division)
  }
  for (const division of later) {
    const { crew, open } = rosterOf(request, division)
    yield* withDrivers(request, division, allOrders(division, crew, open))
  }
}

/** Returns the drivers, and the stints to which they are to be assigned. */
function rosterOf(request: PlanRequest, division: Division) {
  const { slots, current, drivingMs } = division
  const open = slots.map((slot, index) => ({
    driver: (index === 0 && current ? current.driver : null) ?? slot?.driver ?? null,
  }))
  return { crew: crewOf(request, division), open, usualMs: drivingMs / slots.length }
}

/** Returns all combinations of drivers who together have enough time left: others only cost time. */
function* allOrders(division: Division, crew: Crew, open: readonly OpenSlot[]) {
  for (const drivers of combinations(open, crew.drivers, crew.last)) {
    const capacityMs = [...new Set(drivers)].reduce(
      (sum, driver) =>
        sum + (driver === null ? division.drivingMs : Math.max(0, crew.leftOf(driver))),
      0,
    )
    if (capacityMs >= division.drivingMs) yield drivers
  }
}

function* withDrivers(
  request: PlanRequest,
  division: Division,
  assignments: Iterable<(string | null)[]>,
): Generator<LaidStint[]> {
  const seen = new Set<string>()
  for (const drivers of assignments) {
    const key = drivers.join()
    if (seen.has(key)) continue
    seen.add(key)
    yield* withLengths(request, division, drivers)
  }
}

/** Rounds in which stints are shortened or prolonged for a rest. */
const restRounds = 4

type Bounds = Map<number, { leastMs?: number; mostMs?: number }>

/** Lays out stints with these drivers. Stints in a row without a rest are shortened, or the ones between prolonged. */
function* withLengths(
  request: PlanRequest,
  division: Division,
  drivers: readonly (string | null)[],
): Generator<LaidStint[]> {
  const first = laidOut(request, division, drivers, new Map())
  yield first
  yield* withRests(request, division, first, shortenRun)
  yield* withRests(request, division, first, prolongRest)
}

/** Repeatedly changes the bounds around the first stint that is too long without a rest. */
function* withRests(
  request: PlanRequest,
  division: Division,
  first: LaidStint[],
  bound: (bounds: Bounds, run: readonly LaidStint[], found: Found) => void,
): Generator<LaidStint[]> {
  const { inARow } = request.rules
  if (!inARow) return
  const drivers = first.map(({ driver }) => driver)
  const bounds: Bounds = new Map()
  let stints = first
  for (let round = 0; round < restRounds; round++) {
    const all = [...division.driven, ...stints]
    const limit = brokenLimits(all, request).find(
      each => each.kind === 'rest' && each.number > division.driven.length,
    )
    if (limit?.kind !== 'rest') return
    const index = limit.number - 1
    const stint = all[index]
    if (!stint) return
    const own = all.slice(0, index).filter(each => each.driver === stint.driver)
    const run = [...inARowBefore(own, stint.fromMs, inARow.restMs), stint]
    bound(bounds, run, { all, inARow, driven: division.driven.length })
    stints = laidOut(request, division, drivers, bounds)
    yield stints
  }
}

interface Found {
  readonly all: readonly LaidStint[]
  readonly inARow: NonNullable<PlanRequest['rules']['inARow']>
  /** Number of driven stints. */
  readonly driven: number
}

/** Shortens the planned stints of a driver that are driven without a rest. */
function shortenRun(bounds: Bounds, run: readonly LaidStint[], { inARow, driven }: Found) {
  const planned = run.filter(({ number }) => number > driven)
  const pastMs = sumMs(run.filter(({ number }) => number <= driven))
  const mostMs = Math.max(0, Math.floor((inARow.maxMs - pastMs) / planned.length / 1000) * 1000)
  for (const { number } of planned) {
    const before = bounds.get(number)?.mostMs ?? Number.POSITIVE_INFINITY
    bounds.set(number, { ...bounds.get(number), mostMs: Math.min(before, mostMs) })
  }
}

/** Prolongs the stints of others before the last one of a run, so that its driver has a rest. */
function prolongRest(bounds: Bounds, run: readonly LaidStint[], { all, inARow, driven }: Found) {
  const [before, last] = run.slice(-2)
  if (!before || !last) return
  const between = all.slice(before.number, last.number - 1).filter(each => each.number > driven)
  const missingMs = inARow.restMs - (last.fromMs - before.toMs)
  for (const { number, fromMs, toMs } of between) {
    const leastMs = Math.ceil((toMs - fromMs + missingMs / between.length) / 1000) * 1000
    bounds.set(number, { ...bounds.get(number), leastMs })
  }
}

function crewOf({ drivers, rules, otherMs }: PlanRequest, { driven, current }: History): Crew {
  const last = driven.at(-1)?.driver ?? null
  return {
    drivers,
    last,
    lastInARow: driven.length - 1 - driven.findLastIndex(({ driver }) => driver !== last),
    leftOf: driver =>
      (rules.maxDriverMs ?? Number.MAX_SAFE_INTEGER) -
      driverMs(driven, driver) -
      beforeMs(current, driver) -
      (otherMs?.get(driver) ?? 0),
  }
}

/** Returns the time of a driver in the current stint that is not divided any more. */
function beforeMs(current: History['current'], driver: string | null): number {
  return current !== null && current.driver === driver ? current.beforeMs : 0
}

function driverMs(driven: readonly LaidStint[], driver: string | null): number {
  return driven.reduce(
    (sum, each) => sum + (each.driver === driver ? each.toMs - each.fromMs : 0),
    0,
  )
}

/** Lays out stints with these drivers, one after the other, from the current one to the end of the race. */
function laidOut(
  request: PlanRequest,
  division: Division,
  drivers: readonly (string | null)[],
  bounds: ReadonlyMap<number, { leastMs?: number; mostMs?: number }>,
): LaidStint[] {
  const { raceMs, nowMs, lapLeftMs = 0, stopMs, rules } = request
  const { slots, startMs, current, driven } = division
  const stoppedMs = current?.beforeMs ?? 0
  // The car comes in with the end of its lap.
  const untilMs = Math.min(nowMs + lapLeftMs, raceMs)
  const elapsedMs = current ? Math.max(0, untilMs - startMs - stoppedMs) : 0
  const lengths = slots.map((slot, index): number | Slot => {
    const [leastMs, pastMs] = index === 0 ? [elapsedMs, stoppedMs] : [0, 0]
    // A stop in the second half of a length by hand was made in place of the one after it.
    if (slot?.lengthMs && slot.lengthMs >= 2 * pastMs)
      return Math.max(slot.lengthMs - pastMs, leastMs)
    const isLast = index === slots.length - 1
    const isBetweenStops = index + driven.length + pastMs > 0 && !isLast
    const bound = bounds.get(driven.length + index + 1)
    const longestMs = longestStintMs(request, index === 0 ? current : null, isLast)
    const mostMs = Math.min(longestMs, bound?.mostMs ?? Number.POSITIVE_INFINITY) - pastMs
    return {
      driver: drivers[index] ?? null,
      leastMs: Math.max(
        leastMs,
        (bound?.leastMs ?? 0) - pastMs,
        isBetweenStops ? leastBetweenStopsMs(request) : 0,
      ),
      mostMs,
    }
  })
  const byHandMs = (driver: string | null) =>
    lengths.reduce<number>(
      (sum, length, index) =>
        typeof length === 'number' && drivers[index] === driver ? sum + length : sum,
      0,
    )
  const open = lengths.filter(length => typeof length !== 'number')
  const setMs = lengths.reduce<number>(
    (sum, length) => (typeof length === 'number' ? sum + length : sum),
    0,
  )
  const divided = divideTime(open, Math.max(0, division.drivingMs - setMs), driver =>
    driver === null || rules.maxDriverMs === null
      ? Number.MAX_SAFE_INTEGER
      : Math.max(
          0,
          rules.maxDriverMs -
            driverMs(driven, driver) -
            beforeMs(current, driver) -
            byHandMs(driver) -
            (request.otherMs?.get(driver) ?? 0),
        ),
  )
  const stints: LaidStint[] = []
  let fromMs = startMs
  lengths.forEach((length, index) => {
    const pastMs = index === 0 ? stoppedMs : 0
    const lengthMs = pastMs + (typeof length === 'number' ? length : (divided.shift() ?? 0))
    if (index > 0 && fromMs >= raceMs) return
    const slot = slots[index]
    stints.push({
      number: driven.length + index + 1,
      driver: drivers[index] ?? null,
      fromMs,
      toMs: Math.min(fromMs + lengthMs, Math.max(raceMs, fromMs)),
      state: index === 0 && current ? 'now' : 'next',
      isFixed: slot !== undefined,
      hadYellow: index === 0 && current?.hadYellow === true,
    })
    fromMs += lengthMs + stopMs + (index === 0 ? division.longerMs : 0)
  })
  return stints
}

/** Returns the longest stint: the current one may be longer or shorter than others. Before a stop it has whole laps. */
export function longestStintMs(
  request: PlanRequest,
  current: History['current'],
  isLast: boolean,
): number {
  const { rules, lapMs } = request
  const ruleMs = Math.min(
    stintLimitMs(rules, current?.hadYellow === true) ?? Number.POSITIVE_INFINITY,
    rules.inARow?.maxMs ?? Number.POSITIVE_INFINITY,
  )
  return Math.min(
    isLast ? ruleMs : wholeLapsMs(ruleMs, lapMs),
    fuelLimitMs(request, { isCurrent: current !== null, isLast }) ?? Number.POSITIVE_INFINITY,
  )
}

/** Returns the time of the laps that fit into a limit; the limit itself if it is shorter than a lap. */
export function wholeLapsMs(limitMs: number, lapMs: number | null): number {
  if (lapMs === null || !Number.isFinite(limitMs) || limitMs < lapMs) return limitMs
  return Math.floor(limitMs / lapMs) * lapMs
}
