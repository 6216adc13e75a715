import { isCompared } from '#racing/race/pace.ts'
import type { ShownLap } from '#web/laps/shownLap.ts'
import { deltaTenths, numbered, recentAverageMs } from '#web/race/lapFigures.ts'

/** Longer bars are cut at the edge. */
const fullTenths = 6
const shown = 10

/** One lap against the average: faster (up), slower (down) or not compared. */
export interface Bar {
  /** When the lap began. */
  readonly at: number
  readonly kind: 'faster' | 'slower' | 'none'
  /** Share of the full length, from 0 to 1. */
  readonly length: number
}

/** The last ten laps that count against their average, the oldest first. Without an average nothing is compared. */
export function barsOf(laps: readonly ShownLap[]): Bar[] {
  const average = recentAverageMs(laps)
  return numbered(laps)
    .slice(-shown)
    .map(lap => {
      if (average === null || !isCompared(lap))
        return { at: lap.startedAt, kind: 'none', length: 0 }
      const tenths = deltaTenths(lap.timeMs, average)
      return {
        at: lap.startedAt,
        kind: tenths <= 0 ? 'faster' : 'slower',
        length: Math.min(1, Math.abs(tenths) / fullTenths),
      }
    })
}
