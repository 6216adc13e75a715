import type { BrokenLimit, LaidStint, PlanRequest } from './planTypes.ts'
import { requiredStops, stintLimitMs } from './rules.ts'

/** Returns the limits that these stints do not keep, in order of their numbers. */
export function brokenLimits(stints: readonly LaidStint[], request: PlanRequest): BrokenLimit[] {
  const { rules, raceMs, lapLeftMs = 0, stopsInStints = 0 } = request
  const found: BrokenLimit[] = []
  const shortestMs = leastBetweenStopsMs(request)
  stints.forEach((stint, index) => {
    const { number, fromMs, toMs } = stint
    const overStintMs =
      toMs - fromMs - (stintLimitMs(rules, stint.hadYellow === true) ?? Number.POSITIVE_INFINITY)
    if (overStintMs > 0) found.push({ kind: 'stint', number, overMs: overStintMs })
    const isLast = index === stints.length - 1
    const isCurrent = stint.state === 'now'
    const fuelMs = fuelLimitMs(request, { isCurrent, isLast })
    const overMs = toMs - fromMs - (fuelMs ?? Number.POSITIVE_INFINITY)
    // The estimate keeps a reserve, with which a car that comes in ends its lap.
    const overFuelMs = isCurrent && !isLast ? overMs - lapLeftMs : overMs
    // The fuel of a driven stint is unknown.
    if (overFuelMs > 0 && stint.state !== 'driven')
      found.push({ kind: 'fuel', number, overMs: overFuelMs })
    const isBetweenStops = index > 0 && !isLast
    const missingMs = shortestMs - (toMs - fromMs)
    if (isBetweenStops && missingMs > 0) found.push({ kind: 'short', number, overMs: missingMs })
    for (const limit of brokenByDriver(stints, index, request)) found.push(limit)
  })
  const planned = Math.max(0, stints.length - 1) + stopsInStints
  const required = requiredStops(rules, raceMs)
  if (planned < required) found.push({ kind: 'stops', planned, required })
  if (missesTechnicalStop(stints, rules.technicalStopMs))
    found.push({ kind: 'technical', requiredMs: rules.technicalStopMs })
  return found
}

/** Returns how long the fuel lasts from the start of a stint on; null if it is not known. */
export function fuelLimitMs(
  request: PlanRequest,
  { isCurrent, isLast }: { readonly isCurrent: boolean; readonly isLast: boolean },
): number | null {
  const { fuelMs, currentFuelMs = null } = (isLast && request.toFinish) || request
  return isCurrent && currentFuelMs !== null ? currentFuelMs : fuelMs
}

/** Times are rounded to seconds. */
const roundingMs = 1000

/** Returns whether one stop of a race has to be long and none of these is. */
export function missesTechnicalStop(
  stints: readonly { readonly fromMs: number; readonly toMs: number }[],
  technicalStopMs: number | null,
): technicalStopMs is number {
  if (technicalStopMs === null) return false
  return stints.every((stint, index) => {
    const next = stints[index + 1]
    return !next || next.fromMs - stint.toMs < technicalStopMs - roundingMs
  })
}

/** Returns the shortest time between two stops; 0 without a rule, or while the lap time is not known. */
export function leastBetweenStopsMs({ rules, lapMs }: PlanRequest): number {
  return (rules.minLapsBetweenStops ?? 0) * (lapMs ?? 0)
}

/** Returns the limits of a driver that are exceeded in this stint, and were not before it. */
function brokenByDriver(
  stints: readonly LaidStint[],
  index: number,
  { rules: { maxDriverMs, inARow }, otherMs }: PlanRequest,
): BrokenLimit[] {
  const stint = stints[index]
  if (!stint || stint.driver === null) return []
  const { driver, number, fromMs, toMs } = stint
  const lengthMs = toMs - fromMs
  const own = stints.slice(0, index).filter(each => each.driver === driver)
  const found: BrokenLimit[] = []
  const overMs = (beforeMs: number, maxMs: number) =>
    Math.max(0, beforeMs + lengthMs - maxMs) - Math.max(0, beforeMs - maxMs)
  if (maxDriverMs !== null) {
    const over = overMs(sumMs(own) + (otherMs?.get(driver) ?? 0), maxDriverMs)
    if (over > 0) found.push({ kind: 'driver', number, driver, overMs: over })
  }
  if (inARow) {
    const over = overMs(sumMs(inARowBefore(own, fromMs, inARow.restMs)), inARow.maxMs)
    if (over > 0) found.push({ kind: 'rest', number, driver, overMs: over })
  }
  return found
}

/** Returns the stints of one driver since their last rest. */
export function inARowBefore<T extends { readonly fromMs: number; readonly toMs: number }>(
  own: readonly T[],
  fromMs: number,
  restMs: number,
): T[] {
  const run: T[] = []
  let nextMs = fromMs
  for (const stint of own.toReversed()) {
    if (nextMs - stint.toMs >= restMs) break
    run.unshift(stint)
    nextMs = stint.fromMs
  }
  return run
}

export function sumMs(
  stints: readonly { readonly fromMs: number; readonly toMs: number }[],
): number {
  return stints.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
}
