import { hourMs } from '#contract/shared/durations.ts'
import { greatestOf } from '#contract/shared/extremes.ts'
import { maxPlannedStints } from '#contract/shared/raceRules.ts'
import { brokenLimits, missesTechnicalStop } from './brokenLimits.ts'
import { type Division, type History, layouts, longestStintMs } from './layouts.ts'
import type { BrokenLimit, LaidStint, PlanRequest } from './planTypes.ts'
import { requiredStops } from './rules.ts'

/** The stints of a race, driven and planned, and the limits that they do not keep. */
export interface Plan {
  readonly stints: readonly LaidStint[]
  readonly broken: readonly BrokenLimit[]
}

/** More stints than needed that are tried, if fewer do not keep the limits. */
const moreStints = 12

/** Layouts that are tried: without a plan that keeps all limits, a phone is done within a second. */
const maxLayouts = 6000

/**
 * Lays out the rest of a race: as few stints as the limits and required stops allow, equally long, by the drivers in
 * their order; what was set by hand is kept. What was driven is history. If no plan keeps all limits, the one that
 * exceeds them least. The same request always gives the same plan.
 */
export function layPlan(request: PlanRequest): Plan {
  const history = historyOf(request)
  const fixed = new Map(request.fixed.map(stint => [stint.number, stint]))
  const startMs = nextStartMs(history.driven, request)
  const isOver = startMs >= request.raceMs && !history.current
  if (isOver) return judged(history.driven, request)
  const first = history.driven.length + 1
  const beforeMs = history.current?.beforeMs ?? 0
  const most = Math.max(1, maxPlannedStints - history.driven.length)
  const least = Math.min(most, leastStints(request, history, startMs))
  const divisions: Division[] = []
  for (let count = least; count <= Math.min(most, least + moreStints); count++) {
    const longerMs = count > 1 ? longerStopMs(request, history) : 0
    const drivingMs = request.raceMs - startMs - beforeMs - (count - 1) * request.stopMs - longerMs
    // More stops than the race has time for.
    if (count > least && drivingMs < count * 1000) break
    const slots = Array.from({ length: count }, (_, index) => fixed.get(first + index))
    divisions.push({ ...history, slots, startMs, drivingMs, longerMs })
  }
  let best: { plan: Plan; cost: number } | null = null
  let tried = 0
  for (const stints of layouts(request, divisions)) {
    if (++tried > maxLayouts) break
    const plan = judged([...history.driven, ...stints], request)
    const cost = costOf(plan.broken, history.driven.length) + uncoveredMs(plan, request)
    if (!best || cost < best.cost) best = { plan, cost }
    if (cost === 0) return plan
  }
  return best?.plan ?? judged(history.driven, request)
}

function historyOf({ driven, raceMs, stoppedAtMs = null }: PlanRequest): History {
  const last = driven.at(-1)
  const isOpen = last !== undefined && last.toMs === null
  const ended = isOpen ? driven.slice(0, -1) : driven
  return {
    driven: ended.map(({ driver, fromMs, toMs, hadYellow = false }, index) => ({
      number: index + 1,
      driver,
      fromMs,
      toMs: toMs ?? fromMs,
      state: 'driven',
      isFixed: false,
      hadYellow,
    })),
    current: isOpen
      ? {
          driver: last.driver,
          fromMs: Math.min(last.fromMs, raceMs),
          beforeMs: Math.max(0, Math.min(stoppedAtMs ?? 0, raceMs) - last.fromMs),
          hadYellow: last.hadYellow === true,
        }
      : null,
  }
}

/** Returns when the current stint started, or the next one will. */
function nextStartMs(ended: readonly LaidStint[], { driven, nowMs, stopMs }: PlanRequest): number {
  const last = driven.at(-1)
  if (last && last.toMs === null) return last.fromMs
  const lastMs = ended.at(-1)?.toMs
  return Math.max(0, nowMs, lastMs === undefined ? 0 : lastMs + stopMs)
}

/** Returns by how much the next stop has to be longer than others: the one long stop of a series is made first. */
function longerStopMs({ rules, stopMs }: PlanRequest, { driven, current }: History): number {
  const { technicalStopMs } = rules
  const made = current ? [...driven, { fromMs: current.fromMs, toMs: current.fromMs }] : driven
  return missesTechnicalStop(made, technicalStopMs) ? Math.max(0, technicalStopMs - stopMs) : 0
}

/** Returns the fewest stints, the current one included, with which required stops and stint limits can be kept. */
function leastStints(request: PlanRequest, { driven, current }: History, startMs: number): number {
  const { raceMs, stopMs, rules, fixed, stopsInStints = 0, stoppedAtMs = null } = request
  const required = requiredStops(rules, raceMs) - stopsInStints
  const stops = Math.max(required, rules.technicalStopMs === null ? 0 : 1)
  const first = driven.length + 1
  const forStops = stops + 2 - first
  const byHand = Math.max(0, greatestOf(fixed.map(({ number }) => number))) + 1 - first
  const longestMs = longestStintMs(request, null, false)
  const lastMs = Math.max(
    longestStintMs(request, null, true),
    current ? longestStintMs(request, current, true) : 0,
  )
  const sinceMs = Math.max(startMs, stoppedAtMs ?? 0)
  const forLimit = Number.isFinite(longestMs)
    ? 1 + Math.ceil((raceMs - sinceMs - lastMs) / (longestMs + stopMs))
    : 1
  return Math.max(1, forStops, byHand, forLimit)
}

function judged(stints: readonly LaidStint[], request: PlanRequest): Plan {
  return { stints, broken: brokenLimits(stints, request) }
}

/** Stints whose lengths were all set by hand may end before the race does. */
function uncoveredMs({ stints }: Plan, { raceMs }: PlanRequest): number {
  return Math.max(0, raceMs - (stints.at(-1)?.toMs ?? 0))
}

/** A required stop that is missing weighs as much as this time over a limit. */
const missingStopMs = hourMs

/** How far a plan is from keeping all limits; driven stints do not count. */
function costOf(broken: readonly BrokenLimit[], driven: number): number {
  return broken.reduce((sum, limit) => {
    if (limit.kind === 'stops') return sum + (limit.required - limit.planned) * missingStopMs
    if (limit.kind === 'technical') return sum + missingStopMs
    return limit.number > driven ? sum + limit.overMs : sum
  }, 0)
}
