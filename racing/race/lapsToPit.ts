import { type Burn, pessimisticL } from './burn.ts'
import { type Fuel, pessimisticLeftL } from './fuel.ts'
import type { RuleLimit } from './planTypes.ts'

/** Why a car must come in: its fuel, a limit of the rules, the plan, or stops that the rules require. */
export type PitReason = RuleLimit | 'fuel' | 'plan' | 'stops'

/** Time left until a limit of the current stint, negative beyond it. */
export interface TimeLimit {
  readonly reason: PitReason
  readonly leftMs: number
  /** True for a planned stop that may be made later. */
  readonly mayWait?: boolean
}

/** A limit of the current stint that is counted in laps, with the current one. */
export interface LapLimit {
  readonly reason: PitReason
  readonly laps: number
}

export interface CurrentLap {
  /** The time that this lap and each later one is assumed to take: the slowest of the last five green laps. */
  readonly lapMs: number
  /** Time since the last crossing of the line, or since the car left the pits; null, counted as 0, if unknown. */
  readonly elapsedMs: number | null
}

/**
 * Returns how often the car may still cross the line before it enters the pits: 0 is this lap ("PIT NOW"), 1 the next
 * one; null without a limit. It is the smallest of ⌊(time left − time to finish this lap) / lapMs⌋ for each limit in time,
 * and one less than the laps of each limit in laps. This is never too late while laps take at most `lapMs` and burn no
 * more than assumed. `reason` is the first of the limits with this number of laps; a plan is the last of them,
 * because only a plan can be moved.
 */
export function lapsToPit(
  limits: readonly (TimeLimit | LapLimit)[],
  { lapMs, elapsedMs }: CurrentLap,
): { readonly laps: number; readonly reason: PitReason } | null {
  const finishMs = Math.max(0, lapMs - (elapsedMs ?? 0))
  const candidates = limits.map(limit => {
    const laps = 'laps' in limit ? limit.laps - 1 : Math.floor((limit.leftMs - finishMs) / lapMs)
    return { laps: Math.max(0, laps), reason: limit.reason }
  })
  const rank = ({ reason }: { reason: PitReason }) => (reason === 'plan' ? 1 : 0)
  return candidates.toSorted((a, b) => a.laps - b.laps || rank(a) - rank(b))[0] ?? null
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
