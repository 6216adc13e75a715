import { inARowBefore, sumMs } from './brokenLimits.ts'
import type { LaidStint, PlanRequest, RuleLimit } from './planTypes.ts'

/** The limit that the current driver reaches first. */
export interface ReachedLimit {
  readonly driver: string | null
  readonly limit: RuleLimit
  readonly limitMs: number
  /** Negative beyond it. */
  readonly leftMs: number
  /** Whole laps until then; null while the lap time is not known. */
  readonly laps: number | null
}

/** Returns the limit that the current driver reaches first, or has exceeded; null without one. */
export function reachedLimit(
  stints: readonly LaidStint[],
  { nowMs, lapMs, rules, otherMs }: PlanRequest,
): ReachedLimit | null {
  const current = stints.find(({ state }) => state === 'now')
  if (!current) return null
  const { driver, fromMs } = current
  const elapsedMs = Math.max(0, nowMs - fromMs)
  const own = stints.filter(each => each.state === 'driven' && each.driver === driver)
  const limits: { limit: RuleLimit; limitMs: number; leftMs: number }[] = []
  const add = (limit: RuleLimit, limitMs: number | null | undefined, beforeMs: number) => {
    if (limitMs != null) limits.push({ limit, limitMs, leftMs: limitMs - beforeMs - elapsedMs })
  }
  add('stint', rules.maxStintMs, 0)
  // Without a name it is not known how long the driver has driven before.
  if (driver !== null) {
    add('driver', rules.maxDriverMs, sumMs(own) + (otherMs?.get(driver) ?? 0))
    if (rules.inARow)
      add('rest', rules.inARow.maxMs, sumMs(inARowBefore(own, fromMs, rules.inARow.restMs)))
  }
  const first = limits.toSorted((a, b) => a.leftMs - b.leftMs)[0]
  if (!first) return null
  return { driver, ...first, laps: lapMs === null ? null : Math.floor(first.leftMs / lapMs) }
}
