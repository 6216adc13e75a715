import type { Fill } from '#racing/race/carRace.ts'
import { sameStopMs } from '#racing/race/sameChange.ts'

interface Visit {
  readonly startedAt: number
  readonly endedAt: number | null
  readonly leftAt: number | null
}

/** A fill that is entered later than this after the stop is not taken for one of that stop. */
const afterStopMs = 15 * 60_000

/**
 * Returns when a fill that is entered now happened: in the last visit to the pits, if it has none yet and was not long
 * ago, so that laps since the stop count as driven with the new fuel. Otherwise now.
 */
export function fillTime(
  visits: readonly Visit[],
  fills: readonly Pick<Fill, 'at'>[],
  nowMs: number,
): number {
  const stop = recentStop(visits, nowMs)
  if (!stop || fills.some(({ at }) => at >= stop.fromMs)) return nowMs
  return Math.min(nowMs, stop.toMs)
}

/** Returns when a fill happened in a stop that the car has left. */
export function fillTimeIn({ startedAt, endedAt, leftAt }: Visit): number {
  return leftAt ?? endedAt ?? startedAt
}

/**
 * Returns the fill that another member may have entered for the same stop: the newest one since the last visit to the
 * pits began or, without a known visit, of the last minutes. Null if there is none.
 */
export function fillOfSameStop<T extends Pick<Fill, 'at' | 'kind'>>(
  visits: readonly Visit[],
  fills: readonly T[],
  nowMs: number,
): T | null {
  const fromMs = recentStop(visits, nowMs)?.fromMs ?? nowMs - sameStopMs
  return fills.findLast(({ at, kind }) => kind !== 'start' && at >= fromMs) ?? null
}

/** Returns the last visit to the pits, until it ended or the car left its box; null if it was long ago. */
function recentStop(visits: readonly Visit[], nowMs: number) {
  const visit = visits.at(-1)
  if (!visit) return null
  const toMs = visit.leftAt ?? visit.endedAt ?? nowMs
  return nowMs - toMs > afterStopMs ? null : { fromMs: visit.startedAt, toMs }
}
