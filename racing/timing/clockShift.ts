import { greatestOf, leastOf } from '#contract/shared/extremes.ts'
import { type Calibration, calibrationOf } from './calibration.ts'

/** Zones differ from UTC by multiples of this. */
const stepMs = 15 * 60 * 1000

/** Fewer passings than this share of the most, or of those of the side with fewer, match by chance. */
const leastOfMost = 0.8
const leastOfAll = 0.5
/** Twice the standard deviation of differences: of crossings that match by chance it is more. */
const widestMs = 2000
/** Intervals up to this many times the narrowest one are as good. */
const asNarrow = 3

interface Match {
  readonly shiftMs: number
  readonly found: Calibration
}

/**
 * Returns official passings whose day and zone are not known as times of the crossings by GPS, both in order: shifted by
 * the multiple of 15 minutes at which most of them match, most closely. Null if they do not match.
 */
export function shiftedToGps(
  official: readonly number[],
  byGps: readonly number[],
): readonly number[] | null {
  const matches = matchesOf(official, byGps)
  const most = Math.max(0, greatestOf(matches.map(({ found }) => found.count)))
  if (most < leastOfAll * Math.min(official.length, byGps.length)) return null
  const many = matches.filter(({ found }) => found.count >= leastOfMost * most)
  const narrowestMs = leastOf(many.map(({ found }) => found.plusMinusMs))
  const best = many
    .filter(({ found }) => found.plusMinusMs <= asNarrow * narrowestMs)
    .reduce<Match | null>(
      (before, each) => (before && before.found.count >= each.found.count ? before : each),
      null,
    )
  return best && official.map(at => at + best.shiftMs)
}

function matchesOf(official: readonly number[], byGps: readonly number[]): Match[] {
  const [first, last, gpsFirst, gpsLast] = [official[0], official.at(-1), byGps[0], byGps.at(-1)]
  if (first === undefined || last === undefined) return []
  if (gpsFirst === undefined || gpsLast === undefined) return []
  const matches: Match[] = []
  const start = Math.floor((gpsFirst - last) / stepMs)
  const end = Math.ceil((gpsLast - first) / stepMs)
  for (let step = start; step <= end; step++) {
    const shiftMs = step * stepMs
    const found = calibrationOf(
      official.map(at => at + shiftMs),
      byGps,
    )
    if (found && found.plusMinusMs * Math.sqrt(found.count) <= widestMs)
      matches.push({ shiftMs, found })
  }
  return matches
}
