import { greatestOf } from '#contract/shared/extremes.ts'
import type { DrivenLap } from '../laps/drivenLap.ts'

/** Fewer green laps are no basis for a plan. */
const leastLaps = 3
const recentLaps = 5

/** A shorter lap is an error of the timing, and no pace to divide by. */
const shortestMs = 5000

/** Times of the last five green laps, in milliseconds. */
export interface Pace {
  /** For limits, which must not end too early. */
  readonly slowestMs: number
  /** For expectations, such as laps to go. */
  readonly medianMs: number
}

/** Returns the pace of the last five green laps; null before the third one. */
export function paceOf(laps: readonly DrivenLap[]): Pace | null {
  const times = comparedLaps(laps)
    .slice(-recentLaps)
    .map(({ timeMs }) => timeMs)
  if (times.length < leastLaps) return null
  return { slowestMs: greatestOf(times), medianMs: median(times) }
}

/** Laps that show the pace: whole ones, with both crossings seen, and not yellow. */
export function comparedLaps<T extends DrivenLap>(laps: readonly T[]): T[] {
  return laps.filter(
    ({ kind, isSeen, yellow, timeMs }) =>
      kind === 'full' && isSeen && !yellow && timeMs >= shortestMs,
  )
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[sorted.length >> 1] ?? 0
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[(sorted.length >> 1) - 1] ?? upper)) / 2
}
