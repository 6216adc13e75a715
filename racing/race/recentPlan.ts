import { memoized } from '../memoized.ts'
import { carPlan, knownAtEntry, type LaidPlan, planRequest } from './carPlan.ts'
import type { CarRace } from './carRace.ts'
import { driverQuestion, isUnconfirmed, nextDriver, withPlannedDriver } from './driverQuestion.ts'
import { layPlan } from './plan.ts'
import { hasFinished } from './raceResult.ts'

/** A plan is laid out again at this interval, because its later stints shift with the driven time. */
const planEveryMs = 5000
/** Before the start only corrected laps change it. */
const planBeforeStartEveryMs = 60_000

interface Recent {
  readonly planMs: number
  readonly planned: LaidPlan | null
}

/**
 * Returns a function with the last plan of each car, unless some seconds have passed since: screens ask every second for
 * several cars, and a plan that cannot keep all limits takes long to lay out.
 */
function recently(lay: (carRace: CarRace, planMs: number) => LaidPlan | null) {
  const recent = new WeakMap<CarRace, Recent>()
  return (carRace: CarRace, nowMs: number): LaidPlan | null => {
    const everyMs = carRace.race?.startedAt === null ? planBeforeStartEveryMs : planEveryMs
    const planMs = Math.floor(nowMs / everyMs) * everyMs
    const last = recent.get(carRace)
    if (last?.planMs === planMs) return last.planned
    const planned = lay(carRace, planMs)
    recent.set(carRace, { planMs, planned })
    return planned
  }
}

/**
 * Returns the recent plan of a car. Until somebody answers whether the planned driver took over, the plan goes on with that
 * driver: the limits of the driver before are over. After the race the last stint of a question has no known length, which
 * exceeds nothing.
 */
export const recentPlan = recently((carRace, planMs) => {
  const laid = carPlan(withPlannedDriver(carRace), planMs)
  if (!laid || !isUnconfirmed(carRace) || driverQuestion(carRace)) return laid
  const { stints, broken } = laid.plan
  const known = broken.filter(limit => !('number' in limit) || limit.number !== stints.length)
  return { ...laid, plan: { stints, broken: known } }
})

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
  return { planned: carPlan(atPitEntry(withPlannedDriver(carRace)), enteredAt) }
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

/**
 * Returns the recent plan as the page of the race shows it: in a stop, until the driver has changed, the last stint has
 * ended with the pit entry, and the driver of `planOfStop` is next.
 */
export const shownPlan = recently((carRace, planMs) => {
  const { race, visits, stints } = withPlannedDriver(carRace)
  const current = stints.at(-1)
  const to = visits.at(-1)?.startedAt
  const startedAt = race?.startedAt ?? null
  const isInStop =
    isBeforeChange({ ...carRace, stints }) && startedAt !== null && !hasFinished(carRace)
  if (!isInStop || !current || to === undefined || to <= startedAt)
    return recentPlan(carRace, planMs)
  const request = planRequest(
    { ...carRace, stints: [...stints.slice(0, -1), { ...current, to }] },
    planMs,
  )
  if (!request) return null
  const number = request.driven.length + 1
  const planned = nextDriver(planOfStop(carRace, planMs), carRace)
  const set = request.fixed.find(each => each.number === number)
  const next = { number, driver: planned?.id ?? current.driverId, lengthMs: set?.lengthMs ?? null }
  const fixed = [...request.fixed.filter(each => each !== set), next]
  return { request, plan: layPlan({ ...request, fixed }) }
})
