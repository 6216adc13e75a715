import { z } from 'zod'
import { CircuitId } from './circuits.ts'
import { command, read } from './endpoint.ts'
import { CarId, DriverId, EpochMs, RaceId, TeamId } from './ids.ts'
import { RaceRules } from './rulePacks.ts'
import {
  maxPauses,
  maxPlannedStints,
  maxRaceLaps,
  maxRaceMs,
  maxStopMs,
  minLapMs,
  minRaceMs,
} from './shared/raceRules.ts'
import { maxListed } from './shared/stintRules.ts'
import { LineOfText } from './text.ts'

export const RaceLength = z.discriminatedUnion('in', [
  z.object({ in: z.literal('time'), ms: z.int().min(minRaceMs).max(maxRaceMs) }),
  z.object({ in: z.literal('laps'), laps: z.int().min(1).max(maxRaceLaps) }),
])
export type RaceLength = z.infer<typeof RaceLength>

/** A time in which the race clock stood. */
export const RacePause = z.object({ from: EpochMs, to: EpochMs.nullable() })
export type RacePause = z.infer<typeof RacePause>

/** A race of a team, in which several of its cars may drive. */
export const Race = z.object({
  /** Chosen by the client that added it. */
  id: RaceId,
  name: LineOfText,
  /** Null: not known yet. Only the start needs it. */
  length: RaceLength.nullable(),
  /** When it is planned to start; null: not known yet. */
  startsAt: EpochMs.nullable(),
  /** The circuit on which it is prepared, one of the team's; null: not chosen. */
  circuitId: CircuitId.nullable(),
  /** As they were when the race was saved: a later change of their rule pack does not change them. */
  rules: RaceRules,
  /** Empty: every car of the team. */
  carIds: z.array(CarId).max(maxListed),
  /** Null before the start. */
  startedAt: EpochMs.nullable(),
  /** In order of time; the last one may be open. */
  pauses: z.array(RacePause).max(maxPauses),
  endedAt: EpochMs.nullable(),
})
export type Race = z.infer<typeof Race>

/** A stint that was changed by hand. Others are laid out around it. */
export const PlannedStint = z.object({
  /** That of the stint in the race of its car, from 1. */
  number: z.int().min(1).max(maxPlannedStints),
  /** Null: the next driver in the order. */
  driverId: DriverId.nullable(),
  /** Null: an equal part of the time. */
  lengthMs: z.int().min(minLapMs).max(maxRaceMs).nullable(),
})
export type PlannedStint = z.infer<typeof PlannedStint>

/** The team's decisions about the stints of one car in one race. Everything else is derived (`racing/race`). */
export const CarPlan = z.object({
  /** In the order in which they drive; empty: all drivers of the team, in its order. */
  driverIds: z.array(DriverId).max(maxListed),
  /** Time that a stop costs: from the last lap before to the first one after it. Null: not entered. */
  stopMs: z.int().min(0).max(maxStopMs).nullable(),
  /** Expected lap time, until it is known from laps. */
  lapMs: z.int().min(minLapMs).max(maxStopMs).nullable(),
  /** In order of their numbers. */
  stints: z.array(PlannedStint).max(maxPlannedStints),
})
export type CarPlan = z.infer<typeof CarPlan>

/** A change of a plan. Changes of different things by two people at the same time are both kept. */
export const PlanChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('drivers'), driverIds: CarPlan.shape.driverIds }),
  z.object({ kind: z.literal('stop'), stopMs: CarPlan.shape.stopMs }),
  z.object({ kind: z.literal('lap'), lapMs: CarPlan.shape.lapMs }),
  /** Replaces the planned driver or length of these stints. Without both, a stint is planned automatically again. */
  z.object({
    kind: z.literal('stints'),
    stints: z.array(PlannedStint).min(1).max(maxPlannedStints),
  }),
  /** Drops the stints from this number on, which are laid out again. */
  z.object({ kind: z.literal('reset'), from: PlannedStint.shape.number }),
])
export type PlanChange = z.infer<typeof PlanChange>

/** The part of a race that is prepared. */
const PreparedRace = Race.pick({
  name: true,
  length: true,
  startsAt: true,
  circuitId: true,
  rules: true,
  carIds: true,
})
export type PreparedRace = z.infer<typeof PreparedRace>

/** Some of it: what a person changes. */
const RaceChange = PreparedRace.partial()
export type RaceChange = z.infer<typeof RaceChange>

const ofTeam = z.object({ teamId: TeamId })
const ofRace = z.object({ raceId: RaceId })

export const races = {
  list: read({
    auth: 'any-login',
    scopes: ['read'],
    summary:
      'Up to 50 races of a team: the one that runs, the prepared ones by their planned start, then the newest ended ones.',
    input: ofTeam,
    output: z.array(Race),
  }),
  save: command({
    auth: 'signed-in',
    summary:
      'Adds a race, or changes the one with this id: fields that are left out stay. Active sessions of its cars join it if it runs, or starts within 12 hours or at an unknown time. Idempotent.',
    input: ofTeam.extend({
      race: RaceChange.extend({ id: RaceId }),
      /** The values that a change replaces. It is refused if another person has changed one of them since. */
      was: RaceChange.optional(),
    }),
    output: Race,
  }),
  remove: command({
    auth: 'signed-in',
    summary: 'Deletes a race that has not started. Idempotent.',
    input: ofTeam.extend({ raceId: RaceId }),
    output: z.array(Race),
  }),
  start: command({
    auth: 'signed-in',
    summary:
      'Starts the clock of a race now, if it does not run. Active sessions of its cars join it. It needs a length, and a team runs one race at a time. With a time it started then, also after the race; with null it has not started, which is refused once the race is over. Idempotent.',
    input: ofRace.extend({
      /** A time in the future is now. */
      at: EpochMs.nullable().optional(),
    }),
    output: Race,
  }),
  pause: command({
    auth: 'signed-in',
    summary: 'Pauses the clock of a race, which otherwise runs through red flags. Idempotent.',
    input: ofRace,
    output: Race,
  }),
  resume: command({
    auth: 'signed-in',
    summary: 'Lets the paused clock of a race run again. Idempotent.',
    input: ofRace,
    output: Race,
  }),
  end: command({
    auth: 'signed-in',
    summary: 'Ends a race, at a time in the past or now. Sessions that start later do not join it.',
    input: ofRace.extend({ at: EpochMs.optional() }),
    output: Race,
  }),
  plan: read({
    auth: 'any-login',
    scopes: ['read'],
    summary: 'What is planned by hand for a car in a race.',
    input: ofRace.extend({ carId: CarId.optional() }),
    output: CarPlan,
  }),
  changePlan: command({
    auth: 'signed-in',
    summary:
      'Changes the plan of a car in a race; without a car, that of a session without one. Idempotent.',
    input: ofRace.extend({ carId: CarId.nullable(), change: PlanChange }),
    output: CarPlan,
  }),
}
