import { carPlan, type LaidPlan } from './carPlan.ts'
import type { CarRace } from './carRace.ts'

/** A plan is laid out again at this interval, because its later stints shift with the driven time. */
const planEveryMs = 5000
/** Before the start only corrected laps change it. */
const planBeforeStartEveryMs = 60_000

/**
 * The last plan of each car: screens ask every second for several cars, and a plan that cannot keep all limits takes
 * long to lay out.
 */
const recent = new WeakMap<CarRace, { planMs: number; planned: LaidPlan | null }>()

/** Returns the plan of a car as it was laid out last, unless some seconds have passed since. */
export function recentPlan(carRace: CarRace, nowMs: number): LaidPlan | null {
  const everyMs = carRace.race?.startedAt === null ? planBeforeStartEveryMs : planEveryMs
  const planMs = Math.floor(nowMs / everyMs) * everyMs
  const last = recent.get(carRace)
  if (last?.planMs === planMs) return last.planned
  const planned = carPlan(carRace, planMs)
  recent.set(carRace, { planMs, planned })
  return planned
}
