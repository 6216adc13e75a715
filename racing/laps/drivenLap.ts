import { leastOf } from '#contract/shared/extremes.ts'
import type { LapKind } from '#contract/shared/lapKinds.ts'

/** Time and kind of a lap. */
interface CrossedLap {
  readonly startedAt: number
  readonly timeMs: number
  readonly kind: LapKind
  /** See `Lap` of the contract. */
  readonly endsAtLine?: true | undefined
}

/** A lap, or a part of one, as the server and the phone know it. */
export interface DrivenLap extends CrossedLap {
  /** False if a gap in reception hid a crossing of the line. */
  readonly isSeen: boolean
  readonly yellow: boolean
}

/** A time differs by at most this share of a lap from that of the laps in it, if their number is certain. */
export const certainShare = 0.25

/** Returns whether a lap goes over a gap in reception that may have hidden crossings of the line. */
export function isOverGap({ kind, endsAtLine }: Pick<CrossedLap, 'kind' | 'endsAtLine'>): boolean {
  return kind === 'incomplete' && endsAtLine === true
}

/**
 * Returns whether a time between two crossings is certainly that of one lap: about that of the fastest whole lap so far.
 * Two fast laps may take as long as one slow lap.
 */
export function isOneLap(
  timeMs: number,
  laps: readonly Pick<DrivenLap, 'timeMs' | 'kind' | 'isSeen'>[],
): boolean {
  const whole = laps.filter(({ kind, isSeen }) => kind === 'full' && isSeen)
  const fastestMs = leastOf(whole.map(lap => lap.timeMs))
  return Math.abs(timeMs / fastestMs - 1) <= certainShare
}

/** Starts and times are rounded on their own. */
const roundingMs = 2

/** Returns the laps that end with a crossing of the line. `laps` are in order of time. */
export function crossedLaps<T extends CrossedLap>(laps: readonly T[]): T[] {
  return laps.filter(({ kind, endsAtLine, startedAt, timeMs }, index) => {
    if (kind === 'full' || kind === 'pit' || kind === 'out' || endsAtLine) return true
    // A part of a lap that ends at the line is followed by the next one at once.
    return follows(laps[index + 1], { startedAt, timeMs })
  })
}

/** Returns whether a lap begins where another one ends: at the line. */
export function follows(
  next: Pick<CrossedLap, 'startedAt'> | undefined,
  { startedAt, timeMs }: Omit<CrossedLap, 'kind'>,
): boolean {
  return next !== undefined && Math.abs(next.startedAt - startedAt - timeMs) <= roundingMs
}

/** Returns whether time passes between the end of a lap and the next one, as in a gap in reception. */
export function endsBefore(
  { startedAt, timeMs }: Omit<CrossedLap, 'kind'>,
  next: Pick<CrossedLap, 'startedAt'>,
): boolean {
  return next.startedAt - startedAt - timeMs > roundingMs
}
