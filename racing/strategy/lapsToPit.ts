import { pessimisticL } from '../fuel/burn.ts'
import { type Fuel, pessimisticLeftL } from '../fuel/fuel.ts'

/** The current lap. */
export interface CurrentLap {
  /** Time of the slowest of the last five green laps. */
  readonly lapMs: number
  /** Time since the last crossing of the line, or since the car left the pits; null if it is not known. */
  readonly elapsedMs: number | null
}

/**
 * Returns the crossings of the line before the pit entry to use: 0 is this lap ("PIT NOW"), 1 the next one. It is the
 * smallest of the laps that the fuel lasts and ⌊(time left − time to finish this lap) / T⌋ of each limit. Never one too
 * many while later laps are no slower than T and burn no more than assumed. `limitsMs` are the times left until each
 * limit, negative beyond it. Null without a limit.
 */
export function lapsToPit(
  {
    limitsMs,
    fuelLaps,
  }: { readonly limitsMs: readonly number[]; readonly fuelLaps: number | null },
  { lapMs, elapsedMs }: CurrentLap,
): number | null {
  const finishMs = Math.max(0, lapMs - (elapsedMs ?? 0))
  const candidates = limitsMs.map(leftMs => Math.floor((leftMs - finishMs) / lapMs))
  // The lap that the car is in needs fuel as well.
  if (fuelLaps !== null) candidates.push(fuelLaps - 1)
  return candidates.length === 0 ? null : Math.max(0, Math.min(...candidates))
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
