import { median } from '../race/pace.ts'

/** How the crossings of a line by GPS differ from the official ones. */
export interface Calibration {
  /** Passings that were compared. */
  readonly count: number
  /** How much later the line by GPS is than the official one; negative: earlier. */
  readonly lateMs: number
  /** Half of the interval that contains the true value with 95 %. */
  readonly plusMinusMs: number
  /** 95 % of the lap times by GPS are within this time of the official ones; null without two laps in a row. */
  readonly lapPlusMinusMs: number | null
  /** The newest crossing by GPS that was compared. */
  readonly newestAt: number
}

/** With fewer passings a calibration is not known. */
export const leastPassings = 5

/** A line that is nearer than this stays: laps are shown in tenths. */
const leastLateMs = 50
/** Largest offset of a line, 55 m at 100 km/h. A larger one comes from a late source or a wrong clock. */
const largestLateMs = 2000

/** Crossings that are further apart are not those of one passing. */
const furthestMs = 5000

/** Differences that are further from their median, in standard deviations, are errors of either side. */
const outliers = 4
/** The standard deviation of normally distributed values, as a multiple of their median absolute deviation. */
const sdOfMedianDeviation = 1.4826
const z95 = 1.96

/** Returns whether a line is right within its uncertainty, off, or too far off to be a line in the wrong place. */
export function lineState({
  lateMs,
  plusMinusMs,
}: Pick<Calibration, 'lateMs' | 'plusMinusMs'>): 'right' | 'off' | 'too far' {
  const apartMs = Math.abs(lateMs)
  if (apartMs > largestLateMs) return 'too far'
  return apartMs > Math.max(plusMinusMs, leastLateMs) ? 'off' : 'right'
}

interface Pair {
  /** Index of the official passing. */
  readonly index: number
  readonly at: number
  readonly lateMs: number
}

/**
 * Compares the official passings of a car with its crossings of the line by GPS, both as times of one clock, in order.
 * Null with fewer than five passings that both have seen.
 */
export function calibrationOf(
  official: readonly number[],
  byGps: readonly number[],
): Calibration | null {
  const all = official.flatMap((officialAt, index): Pair[] => {
    const at = nearest(byGps, officialAt)
    if (at === null || Math.abs(at - officialAt) > furthestMs) return []
    return [{ index, at, lateMs: at - officialAt }]
  })
  if (all.length < leastPassings) return null
  const middleMs = median(all.map(({ lateMs }) => lateMs))
  const deviationMs = median(all.map(({ lateMs }) => Math.abs(lateMs - middleMs)))
  const limitMs = Math.max(1, outliers * sdOfMedianDeviation * deviationMs)
  const pairs = all.filter(({ lateMs }) => Math.abs(lateMs - middleMs) <= limitMs)
  const newest = pairs.at(-1)
  if (!newest || pairs.length < leastPassings) return null
  const count = pairs.length
  const { mean, sd } = spreadOf(pairs.map(({ lateMs }) => lateMs))
  return {
    count,
    lateMs: mean,
    plusMinusMs: (t95(count - 1) * sd) / Math.sqrt(count),
    lapPlusMinusMs: lapSpreadOf(pairs),
    newestAt: newest.at,
  }
}

/** Lap times differ by the differences of two crossings in a row, so an offset of the clocks does not matter. */
function lapSpreadOf(pairs: readonly Pair[]): number | null {
  const laps = pairs.flatMap((pair, index) => {
    const before = pairs[index - 1]
    return before && before.index === pair.index - 1 ? pair.lateMs - before.lateMs : []
  })
  if (laps.length < 2) return null
  return z95 * Math.sqrt(laps.reduce((sum, ms) => sum + ms * ms, 0) / laps.length)
}

/** Returns the time nearest to `at`, of times in order. */
function nearest(times: readonly number[], at: number): number | null {
  let [from, to] = [0, times.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((times[middle] ?? at) < at) from = middle + 1
    else to = middle
  }
  const [before, after] = [times[from - 1], times[from]]
  if (before === undefined || after === undefined) return before ?? after ?? null
  return at - before <= after - at ? before : after
}

function spreadOf(values: readonly number[]): { mean: number; sd: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, sd: Math.sqrt(squares / (values.length - 1)) }
}

/** Returns the factor of Student's distribution for 95 %, within 0.2 % from four degrees of freedom on. */
function t95(freedom: number): number {
  return z95 + 2.37 / freedom + 2.8 / freedom ** 2 + 3.3 / freedom ** 3
}
