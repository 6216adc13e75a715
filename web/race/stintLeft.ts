import type { StintClock } from '#racing/race/stintClock.ts'

/** Time left of the current stint, and which limit ends it. */
export interface StintLeft {
  /** Negative beyond the limit. */
  readonly leftMs: number
  /** True if it is the driver's time in the whole race, which ends before the stint. */
  readonly isDriver: boolean
}

/** Returns the limit that comes first, the stint's or the driver's; null without one. The same on every screen. */
export function stintLeft({
  leftMs,
  allowanceMs,
}: Pick<StintClock, 'leftMs' | 'allowanceMs'>): StintLeft | null {
  if (allowanceMs !== null && allowanceMs < (leftMs ?? Number.POSITIVE_INFINITY))
    return { leftMs: allowanceMs, isDriver: true }
  return leftMs === null ? null : { leftMs, isDriver: false }
}
