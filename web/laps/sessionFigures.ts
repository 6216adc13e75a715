import { comparedTimes } from '#racing/race/pace.ts'
import type { TimedLap } from '#web/race/lapFigures.ts'

/** Returns the median time of the compared laps; null without one. */
export function medianMs(laps: readonly TimedLap[]): number | null {
  return quantile(comparedTimes(laps), 0.5)
}

/** Fewer laps have no spread. */
const leastLaps = 3

/**
 * Returns half the range of the middle 80 % of the compared laps: how consistent they are; null with fewer than three.
 */
export function spreadMs(laps: readonly TimedLap[]): number | null {
  const times = comparedTimes(laps)
  if (times.length < leastLaps) return null
  return ((quantile(times, 0.9) ?? 0) - (quantile(times, 0.1) ?? 0)) / 2
}

/** Returns the value below which a share of the times is, interpolated; null without times. */
function quantile(times: readonly number[], share: number): number | null {
  if (times.length === 0) return null
  const sorted = times.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const lower = sorted[Math.floor(place)] ?? 0
  const upper = sorted[Math.ceil(place)] ?? lower
  return lower + (upper - lower) * (place - Math.floor(place))
}
