import { pessimisticL } from '../fuel/burn.ts'
import { type Fuel, pessimisticLeftL } from '../fuel/fuel.ts'

/** The limit that makes a stop necessary. */
export type PitReason = 'fuel' | 'stint' | 'driver' | 'plan'

/** A limit of time: of the stint, of the driver, or the planned end of the stint. Negative beyond it. */
export interface TimeLimit {
  readonly reason: Exclude<PitReason, 'fuel'>
  readonly leftMs: number
}

/** The next stop. */
export interface PitIn {
  /** Crossings of the line before the pit entry to use: 0 is this lap ("PIT NOW"), 1 the next one. */
  readonly laps: number
  readonly reason: PitReason
}

/** The present lap. */
export interface PresentLap {
  /** Time of the slowest of the last five green laps. */
  readonly lapMs: number
  /** Time since the last crossing of the line, or since the car left the pits; null if it is not known. */
  readonly elapsedMs: number | null
}

/**
 * Returns in how many laps the car has to use the pit entry: the smallest of the laps that the fuel lasts and
 * ⌊(time left − time to finish this lap) / T⌋ of each limit. Never one too many while later laps are no slower than T
 * and burn no more than assumed. Null without a limit.
 */
export function pitIn(
  { limits, fuelLaps }: { readonly limits: readonly TimeLimit[]; readonly fuelLaps: number | null },
  { lapMs, elapsedMs }: PresentLap,
): PitIn | null {
  const finishMs = Math.max(0, lapMs - (elapsedMs ?? 0))
  const candidates: PitIn[] = limits.map(({ reason, leftMs }) => ({
    reason,
    laps: Math.floor((leftMs - finishMs) / lapMs),
  }))
  // The lap that the car is in needs fuel as well.
  if (fuelLaps !== null) candidates.unshift({ reason: 'fuel', laps: fuelLaps - 1 })
  const first = candidates.toSorted((a, b) => a.laps - b.laps)[0]
  return first ? { ...first, laps: Math.max(0, first.laps) } : null
}

/** Returns the limit that is reached first; null without one. */
export function nextLimit(limits: readonly TimeLimit[]): TimeLimit | null {
  return limits.toSorted((a, b) => a.leftMs - b.leftMs)[0] ?? null
}

/**
 * Returns how many laps the fuel lasts from the last crossing of the line on, at the pessimistic end of level and burn.
 * The reserve is at least one lap.
 */
export function fuelLapsOf(fuel: Fuel, reserveL: number | null): number {
  const burnL = pessimisticL(fuel.burn)
  return Math.max(0, Math.floor((pessimisticLeftL(fuel) - reserveOf(reserveL, burnL)) / burnL))
}

/** The reserve is at least one lap: a car that runs dry needs a tow. */
export function reserveOf(reserveL: number | null, burnL: number): number {
  return Math.max(reserveL ?? 0, burnL)
}
