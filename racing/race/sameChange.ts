import { minuteMs } from '#contract/shared/durations.ts'
import { type Driver, isSameDriver } from './stintClock.ts'
import { type Visit, visitAt } from './stopClock.ts'

/**
 * Two changes to the same driver that are less than this apart belong to one stop, even without a known visit to the
 * pits: a phone without a network sends its change before the positions from which the visit is computed.
 */
export const sameStopMs = 10 * 60_000

interface Change extends Driver {
  readonly from: number
}

/**
 * Returns the stint that a driver change enters a second time, such as on the phone and on the pit wall; null if the
 * change is a new one. It is the stint before or after the change, if the same driver took over in the same stop. The
 * earlier of both times counts. `stints` are in order of time.
 */
export function sameChange<T extends Change>(
  stints: readonly T[],
  change: Change,
  visits: readonly Visit[],
): T | null {
  const before = stints.findLastIndex(({ from }) => from <= change.from)
  const near = [stints[before], stints[before + 1]].filter(stint => stint !== undefined)
  return (
    near.find(
      stint => isSameDriver(stint, change) && isSameStop(stint.from, change.from, visits),
    ) ?? null
  )
}

/** A change that is confirmed later after a pit exit may be of another stop, which no phone has seen. */
const confirmedWithinMs = 4 * 60_000

/**
 * Returns when a change counts that was entered at a time. Drivers do not change on the track: one that is confirmed soon
 * after the pit exit is of that stop.
 */
export function changedAt(
  at: number,
  visits: readonly Visit[],
  withinMs = confirmedWithinMs,
): number {
  const last = visits.findLast(({ startedAt }) => startedAt <= at)
  if (!last || last.stoppedAt === null || last.endedAt === null) return at
  return at > last.endedAt && at - last.endedAt < withinMs ? last.stoppedAt : at
}

/** The start of a run this long before a stop may be of that stop. */
export const runBeforeStopMs = minuteMs

/**
 * Returns whether two changes were made in the same stop. Two known visits to the pits are two stops. A change may be
 * entered up to `beforeStopMs` before the stop in which it is made, such as when the car is called in.
 */
export function isSameStop(
  one: number,
  other: number,
  visits: readonly Visit[],
  beforeStopMs = sameStopMs,
): boolean {
  const [first, last] = [Math.min(one, other), Math.max(one, other)]
  const [before, after] = [visitAt(visits, first, last), visitAt(visits, last, last)]
  if (before && after) return before === after
  if (!after) return last - first < sameStopMs
  const { startedAt } = visits.find(visit => visit.startedAt > first) ?? after
  return startedAt === after.startedAt && first >= startedAt - beforeStopMs
}
