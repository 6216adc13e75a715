// No zod here: both sides need these at run time.

import { hourMs } from './durations.ts'
import { storedBounds } from './storedBounds.ts'

/** How the minimum of a stop is measured: from pit-in to pit-out, or standing in the box. */
export const stopCounts = ['lane', 'standing'] as const
export type StopCounts = (typeof stopCounts)[number]

/**
 * Rules of a series, as far as they decide about stints and stops. Times in milliseconds; null where the series has no
 * such rule.
 */
export interface RaceRules {
  /** Name of the series. */
  readonly name: string
  /** The source of the rules, and the day on which they were read (ISO 8601); null for the team's own. */
  readonly source: { readonly url: string; readonly checkedOn: string } | null
  /** Longest stint. */
  readonly maxStintMs: number | null
  /** How much longer a stint may be if it was driven under SC or FCY. */
  readonly yellowExtraMs: number | null
  /** Longest time of a driver in the whole race. */
  readonly maxDriverMs: number | null
  /** Longest time of a driver without a rest, and the rest after which it starts at 0 again. */
  readonly inARow: { readonly maxMs: number; readonly restMs: number } | null
  /** Shortest pit stop (minimum stop): `stopRule` decides whether it applies, `stopClock` measures it. */
  readonly minStop: {
    readonly ms: number
    readonly counts: StopCounts
    /** True if it applies only to stops in which fuel is added. */
    readonly onlyWithFuel: boolean
  } | null
  /** One stop of the race must be at least this long. */
  readonly technicalStopMs: number | null
  /** Stops that everybody has to make: a number, or ⌊minutes of the race / `everyMinutes`⌋ − `minus`. */
  readonly stops:
    | { readonly kind: 'count'; readonly count: number }
    | { readonly kind: 'formula'; readonly everyMinutes: number; readonly minus: number }
    | null
  /** Laps between two stops. */
  readonly minLapsBetweenStops: number | null
  readonly pitSpeedKmh: number | null
}

/** Rules of a race that follows none. */
export const noRules: RaceRules = {
  name: 'No rules',
  source: null,
  maxStintMs: null,
  yellowExtraMs: null,
  maxDriverMs: null,
  inARow: null,
  minStop: null,
  technicalStopMs: null,
  stops: null,
  minLapsBetweenStops: null,
  pitSpeedKmh: null,
}

/** The longest race is 100 hours. */
export const maxRaceMs = 360_000_000
export const minRaceMs = 60_000
export const maxRaceLaps = 5000
/** The longest stop, and the shortest stint limit and lap. */
export const maxStopMs = hourMs
export const minLimitMs = 60_000
export const minLapMs = 10_000
export const maxRequiredStops = 100

/** Stints of one car in one race that can be planned. */
export const maxPlannedStints = 150

/** Sessions join a prepared race this long before and after its planned start. */
export const joinsAroundStartMs = 12 * hourMs

/** Races of a team that have not started. */
export const maxPreparedRaces = storedBounds.preparedRaces.max
/** Races of a team, the ended ones included. */
export const maxRaces = storedBounds.races.max
/** Rule packs of a team. */
export const maxRulePacks = storedBounds.rulePacks.max
export const maxPauses = storedBounds.pauses.max
/** Length of the file of a rule pack. */
export const maxRulePackLetters = 10_000
