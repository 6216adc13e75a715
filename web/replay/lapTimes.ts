import { isOverGap } from '#racing/laps/drivenLap.ts'
import type { ShownLap } from '#web/laps/shownLap.ts'

/** Returns the lap in which a time is; null between laps and without any. */
export function lapAt<L extends Pick<ShownLap, 'startedAt' | 'timeMs'>>(
  laps: readonly L[],
  at: number,
): L | null {
  return laps.find(({ startedAt, timeMs }) => at >= startedAt && at < startedAt + timeMs) ?? null
}

/**
 * Divides each lap that goes over a gap into the laps that the gap hid, of equal length: its number is that of the last of
 * them. `laps` are in order of time.
 */
export function withHiddenLaps<L extends ShownLap>(laps: readonly L[]): L[] {
  return laps.flatMap((lap, index) => {
    const before = laps[index - 1]?.number ?? 0
    const count = isOverGap(lap) ? Math.max(1, lap.number - before) : 1
    const timeMs = lap.timeMs / count
    return Array.from({ length: count }, (_, part) => ({
      ...lap,
      number: lap.number - count + 1 + part,
      startedAt: lap.startedAt + part * timeMs,
      timeMs,
    }))
  })
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
