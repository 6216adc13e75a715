import type { CarPlan, PlanChange } from '#contract/races.ts'

/**
 * Returns what is left of an unsaved change of a plan once a newer one is stored, null if nothing is. Shown or sent
 * after the newer change, the rest must not undo it. `stored` is the plan with the newer change.
 */
export function withoutReplaced(
  older: PlanChange,
  newer: PlanChange,
  stored: CarPlan,
): PlanChange | null {
  if (older.kind === 'stints') {
    const stints = older.stints.filter(({ number }) => !sets(newer, number))
    return stints.length > 0 ? { ...older, stints } : null
  }
  if (older.kind !== 'reset') return newer.kind === older.kind ? null : older
  if (newer.kind !== 'stints') return sets(newer, older.from) ? null : older
  // Stints that the newer change has set would be reset too.
  const stints = stored.stints
    .filter(({ number }) => number >= older.from && !sets(newer, number))
    .map(({ number }) => ({ number, driverId: null, lengthMs: null }))
  return stints.length > 0 ? { kind: 'stints', stints } : null
}

/** True if a change sets or resets the stint with this number. */
function sets(change: PlanChange, number: number): boolean {
  if (change.kind === 'reset') return number >= change.from
  return change.kind === 'stints' && change.stints.some(stint => stint.number === number)
}
