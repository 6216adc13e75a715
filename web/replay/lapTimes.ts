import type { ShownLap } from '#web/laps/shownLap.ts'

/** Returns the lap in which a time is; null between laps and without any. */
export function lapAt<L extends Pick<ShownLap, 'startedAt' | 'timeMs'>>(
  laps: readonly L[],
  at: number,
): L | null {
  return laps.find(({ startedAt, timeMs }) => at >= startedAt && at < startedAt + timeMs) ?? null
}

/** Within this time after the start of a lap, the start before it is the previous one. */
const atStartMs = 1000

/** Returns the nearest starts of laps before and after a time; null if there is none. */
export function lapBounds(
  laps: readonly ShownLap[],
  at: number,
): { previous: number | null; next: number | null } {
  const starts = laps.flatMap(({ startedAt, timeMs }) => [startedAt, startedAt + timeMs])
  return {
    previous: starts.findLast(start => start < at - atStartMs) ?? null,
    next: starts.find(start => start > at) ?? null,
  }
}
