import type { CarPlan, PlanChange, PlannedStint } from './races.ts'

/** Returns a plan after a change. The app shows a change before the server has stored it. */
export function changedPlan(plan: CarPlan, change: PlanChange): CarPlan {
  switch (change.kind) {
    case 'drivers':
      return { ...plan, driverIds: [...new Set(change.driverIds)] }
    case 'stop':
      return { ...plan, stopMs: change.stopMs }
    case 'lap':
      return { ...plan, lapMs: change.lapMs }
    case 'stints':
      return { ...plan, stints: withStints(plan.stints, change.stints) }
    case 'reset':
      return { ...plan, stints: plan.stints.filter(({ number }) => number < change.from) }
  }
}

/** Replaces the stints with the same numbers, in order. */
function withStints(
  stints: readonly PlannedStint[],
  changed: readonly PlannedStint[],
): PlannedStint[] {
  const byNumber = new Map([...stints, ...changed].map(stint => [stint.number, stint]))
  return [...byNumber.values()]
    .filter(({ driverId, lengthMs }) => driverId !== null || lengthMs !== null)
    .sort((one, other) => one.number - other.number)
}
