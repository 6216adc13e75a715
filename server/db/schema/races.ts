import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { Run, RunDecision } from '#contract/carRaces.ts'
import type { CarPlan, RacePause } from '#contract/races.ts'
import type { RaceRules } from '#contract/rulePacks.ts'
import type { FillKind } from '#contract/shared/fillRules.ts'
import type { TimingFailure } from '#contract/shared/timingRules.ts'
import type { TimingEntry, TimingSource } from '#contract/timing.ts'

export interface RaceTables {
  cars: {
    id: string
    team_id: string
    position: number
    number: string
    name: string | null
    class: string | null
    tank_l: number | null
    reserve_l: number | null
    burn_l: number | null
    archived_at: Date | null
  }

  drivers: {
    id: string
    team_id: string
    position: number
    name: string
    user_id: string | null
    archived_at: Date | null
  }

  stints: {
    session_id: string
    id: string
    driver_id: string | null
    /** Null: it begins when the phone is in the car. */
    from_at: Generated<Date | null>
    removed_at: Generated<Date | null>
    by_hand: Generated<boolean>
    /** The entry that this one repeats, as 1.0.0 stored it; null for entries of later versions. */
    merged_into: Generated<string | null>
    entered_by: Generated<string | null>
  }

  run_corrections: {
    race_id: string
    car_id: string
    id: string
    number: GeneratedAlways<string>
    decisions: JSONColumnType<RunDecision[]>
    decided_by: string | null
    decided_at: Date
    removed_at: Generated<Date | null>
  }

  races: {
    id: string
    team_id: string
    name: string
    length_ms: Generated<number | null>
    length_laps: Generated<number | null>
    rules: JSONColumnType<RaceRules>
    created_at: Date
    starts_at: Generated<Date | null>
    circuit_id: Generated<string | null>
    started_at: Generated<Date | null>
    pauses: ColumnType<RacePause[], string | undefined, string>
    ended_at: Generated<Date | null>
  }

  race_cars: {
    race_id: string
    car_id: string
  }

  race_plans: {
    race_id: string
    /** Null for sessions that name no car. */
    car_id: string | null
    plan: JSONColumnType<CarPlan>
  }

  car_runs: {
    race_id: string
    car_id: string
    /** Null: a person decided that no phone was in the car. */
    session_id: string | null
    from_at: Date
    /** Null while the phone is in the car. */
    until_at: Date | null
    decided_by: Run['decidedBy']
    correction_id: Generated<string | null>
    /** Sessions of the phones that may be in the car instead; only of the open run. */
    unsure: Generated<string[]>
  }

  rule_packs: {
    id: string
    team_id: string
    rules: JSONColumnType<RaceRules>
    created_at: Date
  }

  fills: {
    session_id: string
    id: string
    at: Date
    litres: number
    kind: FillKind
    removed_at: Date | null
    entered_by: Generated<string | null>
  }

  race_timings: {
    race_id: string
    id: string
    source: JSONColumnType<TimingSource>
    /** The token of a provider. No call returns it. */
    secret: Generated<string | null>
    newest: Generated<number>
    letters: Generated<number>
    owner: Generated<string | null>
    owned_until: Generated<Date | null>
    failure: Generated<TimingFailure | null>
    /** No node connects before this time. */
    retry_at: Generated<Date | null>
    /** Null: the race clock does not follow. */
    followed_run: string | null
  }

  timing_entries: {
    race_id: string
    id: string
    /** Null for a flag. */
    car_id: string | null
    entry: JSONColumnType<TimingEntry>
    entered_at: Date
    entered_by: string | null
    undone_at: Date | null
  }

  official_flags: {
    race_id: string
    at: Date
    seen_at: Date
    /** Null: the source showed none. */
    flag: string | null
  }

  timing_batches: {
    feed_id: string
    number: number
    received_at: Date
    lines: string
  }
}
