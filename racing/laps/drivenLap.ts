import type { LapKind } from '#contract/shared/lapKinds.ts'

/** Time and kind of a lap. */
interface CrossedLap {
  readonly startedAt: number
  readonly timeMs: number
  readonly kind: LapKind
  /** True for an `in` lap that ended at the line beside the pit lane. */
  readonly endsAtLine?: true | undefined
}

/** A lap, or a part of one, as the server and the phone know it. */
export interface DrivenLap extends CrossedLap {
  /** False if a gap in reception hid a crossing of the line. */
  readonly isSeen: boolean
  readonly yellow: boolean
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
