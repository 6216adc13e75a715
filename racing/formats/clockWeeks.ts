import type { RecordedFix } from './recordedFix.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Satellites count the weeks up to 1,024 and then from 0 again: old receivers report a date that is as much too early. */
const roundMs = 1024 * 7 * dayMs

/** Receivers begin again in 1980, or some years later. */
const mostRounds = 2

/** Earlier dates are those of a clock that was not set: it begins in January 1980. */
const earliestMs = Date.UTC(1981, 0, 1)

/** A date that is corrected is at most this old. */
const oldestMs = 10 * 365.25 * dayMs

/** A receiver's clock may be somewhat ahead. */
const aheadMs = dayMs

/**
 * Adds 1,024 or 2,048 weeks to fixes whose receiver did not notice that the weeks began again: if that gives dates of
 * the last ten years that are not in the future. Returns the number of added weeks.
 */
export function correctWeeks(fixes: readonly RecordedFix[], nowMs: number): number {
  const firstMs = fixes[0]?.atMs ?? 0
  const lastMs = fixes.at(-1)?.atMs ?? 0
  if (firstMs < earliestMs || firstMs > nowMs - oldestMs) return 0
  for (let rounds = 1; rounds <= mostRounds; rounds++) {
    const addedMs = rounds * roundMs
    if (firstMs + addedMs < nowMs - oldestMs || lastMs + addedMs > nowMs + aheadMs) continue
    for (const fix of fixes) fix.atMs += addedMs
    return rounds * 1024
  }
  return 0
}
