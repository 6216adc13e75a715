import { leastOf } from '#contract/shared/extremes.ts'
import type { RaceRules } from '#contract/shared/raceRules.ts'
import { inARowBefore } from './brokenLimits.ts'
import type { LaidPlan } from './carPlan.ts'
import type { CarRace, RaceEntry } from './carRace.ts'
import { stintsOf } from './carStints.ts'
import { driverQuestion } from './driverQuestion.ts'
import type { PitReason, TimeLimit } from './lapsToPit.ts'
import { countedMs, type RaceTimes, raceClock, raceTimes } from './raceClock.ts'
import { raceLaps } from './raceLaps.ts'
import { timesOfCar } from './raceResult.ts'
import { recentPlan } from './recentPlan.ts'
import { requiredStops, stintLimitMs } from './rules.ts'
import { type DrivenStint, isSameDriver, type StintClock, stintClock } from './stintClock.ts'
import { type Strategy, strategyOf } from './strategy.ts'
import type { RaceLeft } from './toGo.ts'

/** Figures of one car, with the clock of its stint. */
export interface CarStrategy extends Strategy {
  /** Null without a stint, and while it is not known (`asksDriver`). */
  readonly stint: StintClock | null
  /** True while nobody has answered the question of `driverQuestion`: the stint is not known, and limits nothing. */
  readonly asksDriver: boolean
  /** True if a limit of the rules ends before the car finishes, in its last lap, so that a stop cannot avoid it. */
  readonly isOverLimit: boolean
}

/** Returns the figures of a car at a moment of the server's clock. Once it has finished, it needs no stop. */
export function carStrategy(carRace: CarRace, nowMs: number): CarStrategy {
  const { race, otherCars } = carRace
  const times = race && timesOfCar(race, carRace)
  const driven = stintsOf(carRace, nowMs)
  const isOver = times !== null && times.endedAt !== null
  const left = raceLeft(carRace, nowMs)
  const isTimeUp = left.leftMs === 0
  const rules = isOver ? null : (race?.rules ?? null)
  const limits = {
    stintMs: rules && stintLimitMs(rules, driven.at(-1)?.hadYellow === true),
    driverMs: rules?.maxDriverMs ?? null,
  }
  const asksDriver = driverQuestion(carRace) !== null
  const clock = stintClock(driven, { others: otherCars, race: times, limits, nowMs })
  const stint = asksDriver ? null : clock
  const planned = recentPlan(carRace, nowMs)
  const lapMs = timedLapMs(carRace, planned, nowMs)
  const toPlannedMs = race && !isTimeUp ? plannedLeftMs(planned, race, nowMs) : null
  // The plan means a lap, not a second: the one that ends nearest to its time.
  const planMs = toPlannedMs === null ? null : toPlannedMs + (lapMs ?? 0) / 2
  const restMs = rules && leftUntilRestMs([...otherCars, ...driven], { times, rules, nowMs })
  const untilRestMs = asksDriver ? null : restMs
  const beforeEnd = (ms: number | null | undefined) =>
    ms != null && !isTimeUp && (left.leftMs === null || ms < left.leftMs) ? ms : null
  const limit = (reason: PitReason, leftMs: number | null, mayWait = false): TimeLimit[] =>
    leftMs === null ? [] : [{ reason, leftMs, mayWait }]
  const strategy = strategyOf(carRace, {
    nowMs,
    times: [
      ...limit('stint', beforeEnd(stint?.leftMs)),
      ...limit('driver', beforeEnd(stint?.allowanceMs)),
      ...limit('rest', beforeEnd(untilRestMs)),
      ...limit('plan', planMs, !isPlannedByHand(planned)),
    ],
    stintMs: race?.rules.maxStintMs ?? null,
    race: left,
    lapMs,
    mandatoryStops: planned && race?.startedAt != null ? stopsToMake(planned) : 0,
  })
  const none = { lapsToPit: null, toGo: null, window: null, finishShortL: 0, pitReason: null }
  if (isOver) return { ...strategy, ...none, stint, asksDriver, isOverLimit: false }
  // A limit that is not known may end before the race.
  const isUnsure =
    asksDriver &&
    strategy.lapsToPit === null &&
    [clock?.leftMs, clock?.allowanceMs, restMs].some(ms => ms != null)
  const toGo = isUnsure && (strategy.toGo?.laps ?? 0) > 1 ? null : strategy.toGo
  const finishMs = toGo && finishLeftMs(carRace, { laps: toGo.laps, lapMs, nowMs })
  const isOverLimit =
    finishMs !== null &&
    toGo?.stops === 0 &&
    strategy.lapsToPit === null &&
    [stint?.leftMs, stint?.allowanceMs, untilRestMs].some(ms => ms != null && ms < finishMs)
  return { ...strategy, toGo, stint, asksDriver, isOverLimit }
}

/** Returns the laps of the current stint from the last crossing of the line on, at most to the finish; null if unknown. */
export function stintLapsLeft(
  strategy: Pick<CarStrategy, 'lapsToPit' | 'pitReason' | 'toGo' | 'lacksLitres'>,
  planned: LaidPlan | null,
): number | null {
  const { lapsToPit, pitReason, toGo, lacksLitres } = strategy
  if (lacksLitres) return null
  const current = currentStint(planned)
  const hasStop = current !== undefined && current !== planned?.plan.stints.at(-1)
  // A stop that the plan lacks ends none of its stints.
  const toStop = pitReason === 'stops' && !hasStop ? null : lapsToPit
  const left = [toStop === null ? null : toStop + 1, toGo?.laps]
  const known = left.filter(laps => laps != null)
  return known.length === 0 ? null : leastOf(known)
}

/** Returns the usual lap of a plan; null without one, and for a car without a lap long after the start: it is not timed. */
function timedLapMs({ race, laps }: CarRace, planned: LaidPlan | null, nowMs: number) {
  const lapMs = planned?.request.lapMs ?? null
  const sinceMs = nowMs - (race?.startedAt ?? nowMs)
  return lapMs !== null && (laps.length > 0 || sinceMs < 2 * lapMs) ? lapMs : null
}

function raceLeft(carRace: CarRace, nowMs: number): RaceLeft {
  const { race } = carRace
  if (!race || race.startedAt === null) return { leftMs: null, laps: null }
  const { length } = race
  if (length === null) return { leftMs: null, laps: null }
  if (length.in === 'time') return { leftMs: raceClock(raceTimes(race), nowMs).leftMs, laps: null }
  return { leftMs: null, laps: Math.max(0, length.laps - raceLaps(carRace)) }
}

/** Returns the time until a car finishes, this many laps after its last crossing of the line or the start. */
function finishLeftMs(
  carRace: CarRace,
  { laps, lapMs, nowMs }: { laps: number; lapMs: number | null; nowMs: number },
): number {
  const last = carRace.laps.at(-1)
  const fromMs = last ? last.startedAt + last.timeMs : (carRace.race?.startedAt ?? nowMs)
  const leftMs = raceLeft(carRace, nowMs).leftMs ?? 0
  return Math.max(leftMs, lapMs === null ? 0 : fromMs + laps * lapMs - nowMs)
}

/** Returns how long the current driver may still drive without a rest; null without such a limit. */
function leftUntilRestMs(
  stints: readonly DrivenStint[],
  { times, rules, nowMs }: { times: RaceTimes | null; rules: RaceRules; nowMs: number },
): number | null {
  const current = stints.at(-1)
  if (!current || !rules.inARow) return null
  const own = stints
    .filter(stint => isSameDriver(stint, current) && stint.from < current.from)
    .map(({ from, to }) => ({ fromMs: from, toMs: to ?? nowMs }))
    .sort((a, b) => a.fromMs - b.fromMs)
  const run = inARowBefore(own, current.from, rules.inARow.restMs)
  const drivenMs = [...run, { fromMs: current.from, toMs: nowMs }].reduce(
    (sum, { fromMs, toMs }) => sum + countedMs(times, fromMs, toMs),
    0,
  )
  return rules.inARow.maxMs - drivenMs
}

/** Returns the current stint of a plan; before the start, the first one. */
function currentStint(planned: LaidPlan | null) {
  return planned?.plan.stints.find(
    ({ state, number }) => state === 'now' || (state === 'next' && number === 1),
  )
}

/** Returns whether the team has set when the current stint ends; a stop that is only laid out may be made later. */
function isPlannedByHand(planned: LaidPlan | null): boolean {
  const number = currentStint(planned)?.number
  const fixed = planned?.request.fixed ?? []
  return fixed.some(each => each.number === number && each.lengthMs !== null)
}

/** Returns the time until the planned end of the current stint; null without one, and for the last stint. */
function plannedLeftMs(planned: LaidPlan | null, race: RaceEntry, nowMs: number): number | null {
  const current = currentStint(planned)
  const last = planned?.plan.stints.at(-1)
  if (!planned || !current || race.endedAt !== null || current === last) return null
  return current.toMs - raceClock(raceTimes(race), nowMs).elapsedMs
}

/** Returns how many stops the rules still demand. */
function stopsToMake({ request, plan }: LaidPlan): number {
  const begun = plan.stints.filter(({ state }) => state !== 'next').length
  const made = Math.max(0, begun - 1) + (request.stopsInStints ?? 0)
  return Math.max(0, requiredStops(request.rules, request.raceMs) - made)
}
