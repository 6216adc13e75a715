import { greatestOf } from '#contract/shared/extremes.ts'
import type { DrivenLap } from '../laps/drivenLap.ts'

/** Fewer green laps are no basis for a plan. */
const leastLaps = 3
const recentLaps = 5

/** A shorter lap is an error of the timing, and no pace to divide by. */
export const shortestLapMs = 5000

/** Times of the last five green laps, in milliseconds. */
export interface Pace {
  /** For limits, which must not end too early. */
  readonly slowestMs: number
  /** For expectations, such as laps to go. */
  readonly medianMs: number
}

/** Returns the pace of the last five green laps; null before the third one. */
export function paceOf(laps: readonly DrivenLap[]): Pace | null {
  const times = comparedTimes(laps).slice(-recentLaps)
  if (times.length < leastLaps) return null
  return { slowestMs: greatestOf(times), medianMs: median(times) }
}

/**
 * Returns whether a lap shows the pace: whole, both crossings seen, not yellow, and at least 5 s long. A query selects
 * the same with `isCompared` of `server/circuits/comparedLaps.ts`.
 */
export function isCompared({
  kind,
  isSeen,
  yellow,
  timeMs,
}: Omit<DrivenLap, 'startedAt'>): boolean {
  return kind === 'full' && isSeen && !yellow && timeMs >= shortestLapMs
}

export function comparedTimes(laps: readonly DrivenLap[]): number[] {
  return laps.filter(isCompared).map(({ timeMs }) => timeMs)
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[sorted.length >> 1] ?? 0
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[(sorted.length >> 1) - 1] ?? upper)) / 2
}
