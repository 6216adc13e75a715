import { minuteMs } from '#contract/shared/durations.ts'
import type { RaceRules } from '#contract/shared/raceRules.ts'
import type { StopRule } from './stopClock.ts'

/** Returns how many stops the rules require; the formula needs the length of the race. */
export function requiredStops({ stops }: RaceRules, raceMs: number | null): number {
  if (stops === null) return 0
  if (stops.kind === 'count') return stops.count
  if (raceMs === null) return 0
  return Math.max(0, Math.floor(raceMs / (stops.everyMinutes * minuteMs)) - stops.minus)
}

/** Returns the rules with the stops that this length requires, which count also if the car finishes at another time. */
export function rulesOfLength(rules: RaceRules, lengthMs: number): RaceRules {
  if (rules.stops === null) return rules
  return { ...rules, stops: { kind: 'count', count: requiredStops(rules, lengthMs) } }
}

/** Returns the longest stint; longer if SC or FCY was shown in it. Null without a limit. */
export function stintLimitMs(
  { maxStintMs, yellowExtraMs }: RaceRules,
  hadYellow: boolean,
): number | null {
  if (maxStintMs === null) return null
  return maxStintMs + (hadYellow ? (yellowExtraMs ?? 0) : 0)
}

/** Returns the shortest stop: with fuel, if it was added or is not known. Null without a minimum. */
export function stopRule({ minStop }: RaceRules, withFuel: boolean): StopRule | null {
  if (!minStop || (minStop.onlyWithFuel && !withFuel)) return null
  return { counts: minStop.counts, minimumMs: minStop.ms }
}
