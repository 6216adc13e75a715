import type { CarRace, Fill } from './carRace.ts'
import { stopRule } from './rules.ts'
import { type StopClock, type StopRule, stopClock, type Visit } from './stopClock.ts'

/** Returns what was entered about fuel at a stop. */
export function fillsOfVisit(fills: readonly Fill[], { startedAt, endedAt }: Visit): Fill[] {
  const until = endedAt ?? Number.POSITIVE_INFINITY
  return fills.filter(({ at, kind }) => kind !== 'start' && at >= startedAt && at <= until)
}

/**
 * Returns the shortest stop of a visit to the pits: one with fuel, until it was entered that there was none. Null without
 * a minimum, and for a visit after the race.
 */
export function ruleOfVisit(
  { race, fills }: Pick<CarRace, 'race' | 'fills'>,
  visit: Visit | undefined,
): StopRule | null {
  if (!race || (race.endedAt !== null && (visit?.startedAt ?? race.endedAt) >= race.endedAt))
    return null
  const entered = visit ? fillsOfVisit(fills, visit) : []
  return stopRule(race.rules, entered.length === 0 || entered.some(({ litres }) => litres > 0))
}

/** Returns the clock of the current pit stop of a car; null if it is not in the pits. */
export function currentStop(
  race: Pick<CarRace, 'race' | 'fills' | 'visits'>,
  nowMs: number,
): StopClock | null {
  return stopClock(race.visits, ruleOfVisit(race, race.visits.at(-1)), nowMs)
}
