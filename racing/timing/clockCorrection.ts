import { maxRaceLaps } from '#contract/shared/raceRules.ts'
import { raceClock, raceTimes, type StoredRace } from '../race/raceClock.ts'

/** Race control's clock. Null: not known, or the race is over laps, or over a time. */
export interface OfficialClock {
  readonly timeToGoMs: number | null
  readonly lapsToGo: number | null
  /** Time since the feed showed it. */
  readonly ageMs: number
  /** Laps that the leader has completed. */
  readonly leaderLaps: number | null
}

/** How the stored race differs from race control's clock, and the correction that follows it. */
export type ClockCorrection =
  | {
      readonly kind: 'start'
      readonly theirsMs: number
      readonly oursMs: number
      readonly startedAt: number
    }
  | { readonly kind: 'laps'; readonly theirs: number; readonly ours: number }

/** Smaller differences come from a feed with whole seconds that is a second late. */
export const leastMs = 2000
/** The leader's lap and the laps to go do not change in the same moment. */
const leastLaps = 2

/**
 * Returns the correction of a race that runs; null if it agrees with race control. A race over a time gets another start,
 * one over laps another number of laps. Race control may have extended a race beyond its length: that is not followed.
 */
export function clockCorrection(
  race: StoredRace,
  official: OfficialClock,
  nowMs: number,
): ClockCorrection | null {
  const { length, startedAt } = race
  const { state, leftMs } = raceClock(raceTimes(race), nowMs)
  if (state !== 'running' || startedAt === null || length === null) return null
  if (length.in === 'laps') {
    const { lapsToGo, leaderLaps } = official
    if (lapsToGo === null || leaderLaps === null) return null
    const theirs = lapsToGo + leaderLaps
    // Between two runs, and in a race over a time, sources send zeros.
    const isRace = theirs >= 1 && theirs <= maxRaceLaps
    return !isRace || Math.abs(theirs - length.laps) < leastLaps
      ? null
      : { kind: 'laps', theirs, ours: length.laps }
  }
  // Between two runs, and in a race over laps, sources send a zero.
  if (!official.timeToGoMs || leftMs === null || leftMs === 0) return null
  // The clock shows whole seconds, rounded down: half a second more is the best estimate.
  const theirsMs = official.timeToGoMs + 500 - official.ageMs
  const byMs = theirsMs - leftMs
  const corrected = startedAt + byMs
  if (theirsMs <= 0 || corrected > nowMs || Math.abs(byMs) < leastMs) return null
  return { kind: 'start', theirsMs, oursMs: leftMs, startedAt: Math.round(corrected) }
}
