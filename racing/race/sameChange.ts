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

/**
 * Returns when a change counts that was entered at a time. Drivers do not change on the track: one that was entered there
 * is of the nearest stop that is less than `withinMs` away, such as when it is confirmed after the pit exit.
 */
export function changedAt(at: number, visits: readonly Visit[], withinMs = sameStopMs): number {
  if (visitAt(visits, at, Number.POSITIVE_INFINITY)) return at
  const stops = visits.flatMap(({ startedAt, endedAt, stoppedAt }) => {
    if (stoppedAt === null) return []
    return [{ stoppedAt, awayMs: at < startedAt ? startedAt - at : at - (endedAt ?? at) }]
  })
  const [nearest] = stops.toSorted((a, b) => a.awayMs - b.awayMs)
  return nearest && nearest.awayMs < withinMs ? nearest.stoppedAt : at
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
