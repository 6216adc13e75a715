import { memoized } from '../memoized.ts'
import { carPlan, knownAtEntry, type LaidPlan } from './carPlan.ts'
import type { CarRace } from './carRace.ts'
import { withPlannedDriver } from './driverQuestion.ts'

/** A plan is laid out again at this interval, because its later stints shift with the driven time. */
const planEveryMs = 5000
/** Before the start only corrected laps change it. */
const planBeforeStartEveryMs = 60_000

/**
 * The last plan of each car: screens ask every second for several cars, and a plan that cannot keep all limits takes
 * long to lay out.
 */
const recent = new WeakMap<CarRace, { planMs: number; planned: LaidPlan | null }>()

/**
 * Returns the plan of a car as it was laid out last, unless some seconds have passed since. Until somebody answers whether
 * the planned driver took over, the plan goes on with that driver: the limits of the driver before are over.
 */
export function recentPlan(carRace: CarRace, nowMs: number): LaidPlan | null {
  const everyMs = carRace.race?.startedAt === null ? planBeforeStartEveryMs : planEveryMs
  const planMs = Math.floor(nowMs / everyMs) * everyMs
  const last = recent.get(carRace)
  if (last?.planMs === planMs) return last.planned
  const planned = carPlan(withPlannedDriver(carRace), planMs)
  recent.set(carRace, { planMs, planned })
  return planned
}

/** Returns a car as it was known when it came into the pits the last time, with its driver then; else itself. */
export const atPitEntry = memoized((carRace: CarRace): CarRace => {
  const enteredAt = carRace.visits.at(-1)?.startedAt
  return enteredAt === undefined ? carRace : knownAtEntry(carRace, enteredAt)
})

/** Returns whether a car is in the pits with the driver who came in. */
function isBeforeChange({ visits, stints }: CarRace): boolean {
  const visit = visits.at(-1)
  return visit?.endedAt === null && (stints.at(-1)?.from ?? 0) < visit.startedAt
}

const entryPlans = memoized((carRace: CarRace) => {
  const enteredAt = carRace.visits.at(-1)?.startedAt ?? 0
  return { planned: carPlan(atPitEntry(carRace), enteredAt) }
})

/**
 * Returns the plan from which driver and litres of a stop follow. In the pits, until the driver has changed, it is that of
 * the pit entry, which called the car in: the rest of the race, laid out again, may need no stop.
 */
export function planOfStop(carRace: CarRace, nowMs: number): LaidPlan | null {
  const enteredAt = carRace.visits.at(-1)?.startedAt
  if (enteredAt === undefined || !isBeforeChange(carRace)) return recentPlan(carRace, nowMs)
  return entryPlans(carRace).planned
}
