import type { RaceRules } from '#contract/shared/raceRules.ts'

/** A stint as it was driven, in milliseconds of the race clock. */
export interface RacedStint {
  /** Null if nobody knows. */
  readonly driver: string | null
  readonly fromMs: number
  /** Null while it is driven. */
  readonly toMs: number | null
  /** True if a lap in it was yellow: some series allow a longer stint then. */
  readonly hadYellow?: boolean
  /** Its start on the server's clock. */
  readonly startedAt?: number
}

/** A stint that was changed by hand: see `PlannedStint` in `contract/races.ts`. */
export interface FixedStint {
  readonly number: number
  readonly driver: string | null
  readonly lengthMs: number | null
}

/** All that a plan follows from. */
export interface PlanRequest {
  /** Length of the race; of one in laps, as long as these are expected to take. */
  readonly raceMs: number
  /** Time of the race clock; 0 before the start. */
  readonly nowMs: number
  /** Until the car crosses the line by its usual lap; absent or 0 if that is not known, and once the lap is slower. */
  readonly lapLeftMs?: number
  /** In order of time. */
  readonly driven: readonly RacedStint[]
  /** Stops so far after which the same driver drove on: the rules count them, but no stint began. */
  readonly stopsInStints?: number
  /** When the car left the last of these stops, if it was in the current stint: the time since then is what is planned. */
  readonly stoppedAtMs?: number | null
  /** Time that drivers have driven in other cars of the race. */
  readonly otherMs?: ReadonlyMap<string, number>
  /** In the order in which they drive. */
  readonly drivers: readonly string[]
  readonly fixed: readonly FixedStint[]
  /** Time between two stints. */
  readonly stopMs: number
  /** Null while it is not known. */
  readonly lapMs: number | null
  /** How long a full tank lasts; null if it is not known. */
  readonly fuelMs: number | null
  /** How long the current stint can be with the fuel that is left; null: as with a full tank. */
  readonly currentFuelMs?: number | null
  /** The same two until the finish, after which no stop follows; absent: as before another stop. */
  readonly toFinish?: Pick<PlanRequest, 'fuelMs' | 'currentFuelMs'>
  readonly rules: RaceRules
}

export interface LaidStint {
  /** From 1. */
  readonly number: number
  readonly driver: string | null
  readonly fromMs: number
  readonly toMs: number
  readonly state: 'driven' | 'now' | 'next'
  /** True if its driver or its length was set by hand. */
  readonly isFixed: boolean
  readonly hadYellow?: boolean
}

/** A limit of the rules for one stint, for its driver in the race, or without a rest (`inARow` of the rules). */
export type RuleLimit = 'stint' | 'driver' | 'rest'

/** A limit that a plan does not keep. */
export type BrokenLimit =
  /** A stint is longer than the rules allow, or than the fuel lasts. */
  | { readonly kind: 'stint' | 'fuel'; readonly number: number; readonly overMs: number }
  /** From this stint on, the driver has driven too long: in all, or without a rest. */
  | {
      readonly kind: Exclude<RuleLimit, 'stint'>
      readonly number: number
      readonly driver: string
      readonly overMs: number
    }
  /** Too little time between two stops. */
  | { readonly kind: 'short'; readonly number: number; readonly overMs: number }
  | { readonly kind: 'stops'; readonly planned: number; readonly required: number }
  /** No stop is as long as one has to be. */
  | { readonly kind: 'technical'; readonly requiredMs: number }
