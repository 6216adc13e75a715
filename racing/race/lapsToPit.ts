import { leastOf } from '#contract/shared/extremes.ts'
import { type Burn, pessimisticL } from './burn.ts'
import { type Fuel, pessimisticLeftL } from './fuel.ts'

export interface CurrentLap {
  /** The time that this lap and each later one is assumed to take: the slowest of the last five green laps. */
  readonly lapMs: number
  /** Time since the last crossing of the line, or since the car left the pits; null, counted as 0, if unknown. */
  readonly elapsedMs: number | null
}

/**
 * Returns how often the car may still cross the line before it enters the pits: 0 is this lap ("PIT NOW"), 1 the next
 * one; null without a limit. It is the smallest of ⌊(time left − time to finish this lap) / lapMs⌋ for each limit, and
 * one less than the laps that the fuel lasts. This is never too late while laps take at most `lapMs` and burn no more
 * than assumed.
 *
 * `limitsMs` are the times left until each limit, negative after it. `fuelLaps` includes the current lap.
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
  if (fuelLaps !== null) candidates.push(fuelLaps - 1)
  return candidates.length === 0 ? null : Math.max(0, leastOf(candidates))
}

/**
 * Returns how many laps the fuel above the reserve lasts from the last crossing of the line on, at the pessimistic end
 * of level and burn.
 */
export function fuelLapsOf(fuel: Fuel, reserveL: number | null): number {
  const burnL = pessimisticL(fuel.burn)
  return Math.max(0, Math.floor((pessimisticLeftL(fuel) - reserveOf(reserveL, burnL)) / burnL))
}

/**
 * Returns how many laps the fuel lasts if the race ends with them: from the level as it is shown, down to the reserve that
 * was entered, at the expected burn, because a driver saves the rest sooner than a stop takes. The reserve of one lap is
 * for the way back to the pits, which nobody needs after the finish.
 */
export function finishLapsOf({ leftL, burn }: Fuel, reserveL: number | null): number {
  return Math.max(0, Math.floor((leftL - (reserveL ?? 0)) / burn.greenL + roundingLaps))
}

/** A smaller part of a lap is an error of the calculation. */
export const roundingLaps = 1e-6

/** Returns the litres that a number of laps needs at the pessimistic burn, with the reserve at their end. */
export function fuelForLaps(laps: number, burn: Burn, reserveL: number | null): number {
  const burnL = pessimisticL(burn)
  return laps * burnL + reserveOf(reserveL, burnL)
}

/**
 * Returns the litres that the last stop fills for the laps after it. At a stop for fuel, its own time may save the laps
 * for which the fuel was short: then those that were missing without it.
 */
export function lastFillL(
  leftL: number,
  { laps, savedLaps }: { readonly laps: number; readonly savedLaps: number },
  { burn, reserveL }: { readonly burn: Burn; readonly reserveL: number | null },
): number {
  const neededL = fuelForLaps(laps, burn, reserveL) - leftL
  if (neededL > 0) return Math.ceil(neededL)
  return Math.max(0, Math.ceil(fuelForLaps(laps + savedLaps, burn, reserveL) - leftL))
}

/** Returns the litres of the reserve: at least those of one lap, because a car that runs dry needs a tow. */
export function reserveOf(reserveL: number | null, burnL: number): number {
  return Math.max(reserveL ?? 0, burnL)
}
