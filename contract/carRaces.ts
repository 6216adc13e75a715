import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { Fill } from './fills.ts'
import { GlassParts } from './glass.ts'
import { CarId, DriverId, EpochMs, RaceId, RunCorrectionId, SessionId, StintId } from './ids.ts'
import { Lap } from './laps.ts'
import { PitVisit } from './pitVisits.ts'
import { CarPlan, Race } from './races.ts'
import { Car, RosterDriver } from './roster.ts'
import { maxRunDecisions } from './shared/runRules.ts'

/** A time in which one phone was in a car. The runs of a car in a race are in order of time and do not overlap. */
export const Run = z.object({
  /** The session of the phone. Null: a person decided that no phone was in the car. */
  sessionId: SessionId.nullable(),
  from: EpochMs,
  /** Null while the phone is in the car. */
  until: EpochMs.nullable(),
  /** `moved`: the phone moved as the car does. `start`: without a race, a car, or a known circuit. */
  decidedBy: z.enum(['moved', 'start', 'person']),
  /** The correction that decided it, which can be undone; only with `person`. */
  correctionId: RunCorrectionId.optional(),
  /** Name of that person; absent if unknown. */
  by: z.string().optional(),
})
export type Run = z.infer<typeof Run>

/** A phone of a car in a race: one of its sessions, with what the phone saw, also while it was not in the car. */
export const CarPhone = z.object({
  sessionId: SessionId,
  /** Name of the session. */
  name: z.string(),
  /** Name of the person who started the session, without an e-mail address; empty if unknown. */
  person: z.string(),
  startedAt: EpochMs,
  endedAt: EpochMs.nullable(),
  /** The driver of the roster who started the session, by a link to that person or by name. Null if there is none. */
  starterId: DriverId.nullable(),
  /** Time of its newest position that was timed; null without one. */
  lastFixAt: EpochMs.nullable(),
  /** When it drove out of the pits, in order of time; also where it did not see the car drive in. */
  leftPitsAt: z.array(EpochMs),
  /** In order of time. */
  laps: z.array(
    Lap.pick({
      number: true,
      startedAt: true,
      timeMs: true,
      kind: true,
      isSeen: true,
      endsAtLine: true,
      yellow: true,
    }),
  ),
  /** In order of time. */
  visits: z.array(PitVisit),
})
export type CarPhone = z.infer<typeof CarPhone>

/**
 * The time in which one person drives a car: from one driver change until the next. A driver change is entered on the
 * wall or on a phone, or is the start of a session of the next driver.
 */
export const Stint = z.object({
  /** Chosen by the client that added it. Those that begin with a phone have the id of its session (`stintIdOfRun`). */
  id: StintId,
  /** From 1, in order of time. */
  number: z.int(),
  /** The session on whose page it was entered, or whose phone it began with. */
  sessionId: SessionId,
  /** Null: the person who started that session drives, and is not in the roster. */
  driverId: DriverId.nullable(),
  from: EpochMs,
  /** Start of the next one, or the time since which no phone was in the car; null while it is driven. */
  to: EpochMs.nullable(),
  /** Name of the person who entered it first; absent if unknown, and for one that began with a phone. */
  enteredBy: z.string().optional(),
})
export type Stint = z.infer<typeof Stint>

/** A time in which a driver drove another car of the race, without the time in the pits. */
export const OtherCarStint = z.object({
  driverId: DriverId,
  from: EpochMs,
  to: EpochMs.nullable(),
  /** Number of that car; absent for a session without a car. */
  car: z.string().optional(),
})
export type OtherCarStint = z.infer<typeof OtherCarStint>

/**
 * All that is stored about the race of one car. `racing/race/carRace.ts` combines it: laps, visits, stints and fills
 * in one sequence each, whichever phone was in the car. A session without a race, or without a car, has the race
 * of a car with one run.
 */
export const StoredCarRace = z.object({
  /** Null: the session names no car. */
  car: Car.nullable(),
  /** Null: the session drives no race. */
  race: Race.nullable(),
  /** When official timing showed the finish of the race; absent while it has not. */
  finishShownAt: EpochMs.optional(),
  /** When a yellow or red official flag, FCY, SC or Code 60 was shown, in order of time; absent if none was. */
  yellowTimes: z.array(z.object({ from: EpochMs, to: EpochMs.nullable() })).optional(),
  /** The manual plan of this car in this race; null without a race. */
  plan: CarPlan.nullable(),
  /** Drivers of the team in its order, and the archived ones whom a stint names. */
  drivers: z.array(RosterDriver),
  /** In order of their start; none in a race that no session of the car has joined. */
  phones: z.array(CarPhone),
  /** In order of time; none before a phone moved. Only the last one may be open. */
  runs: z.array(Run),
  /** The phones that move while that of the open run is stopped or silent: one of them may be in the car. */
  unsure: z.array(SessionId),
  /** How often people have corrected its runs, or taken a correction back. */
  corrections: z.int(),
  /**
   * In order of time, at least one if there are phones. The first one begins with the first run; until there is a run,
   * with the first session.
   */
  stints: z.array(Stint),
  /** When the driver stayed in the car at a stop, as members entered it (`stints.keepDriver`); absent if never. */
  sameDriverAt: z.array(EpochMs).optional(),
  /** Stints in other cars of the race, in order of time. */
  otherCars: z.array(OtherCarStint),
  /** Fuel entries of the car, in order of time. */
  fills: z.array(Fill),
  /** True if the plan sends PIT in the lap of the stop. */
  autoPit: z.boolean(),
  /** True if the race has a source of official timing, or entries by hand (`timing.ofRace`). */
  officialTiming: z.boolean(),
  /** The parts of it that the glass of the car shows; absent if none. */
  glass: GlassParts.optional(),
})
export type StoredCarRace = z.infer<typeof StoredCarRace>

const ofSession = z.object({ sessionId: SessionId })

/** A time in which a phone was in the car, or none. */
const RunDecision = z.object({
  /** A session of the car; null: no phone was in the car. */
  phone: SessionId.nullable(),
  from: EpochMs,
  /** Null: until another phone takes over, or the session ends. */
  until: EpochMs.nullable(),
})
export type RunDecision = z.infer<typeof RunDecision>

export const carRaces = {
  ofSession: read({
    auth: 'any-login',
    scopes: ['read', 'wall'],
    summary:
      'The race of the car of a session: runs, laps, visits to the pits, stints, fills, race and plan.',
    input: ofSession,
    output: StoredCarRace,
  }),
  ofRace: read({
    auth: 'any-login',
    scopes: ['read'],
    summary:
      'The race of a car, also before a session has joined it; without a car, of the newest session without one.',
    input: z.object({ raceId: RaceId, carId: CarId.optional() }),
    output: StoredCarRace,
  }),
  correctRuns: command({
    auth: 'signed-in',
    summary:
      'Decides which phone was in the car of a session, and when: all decisions or none. They win over positions for ever. Idempotent by the id, also after it was undone.',
    input: ofSession.extend({
      correctionId: RunCorrectionId,
      /** In order of time, without overlaps. A time in the future is now. */
      decisions: z.array(RunDecision).min(1).max(maxRunDecisions),
      /**
       * `corrections` of the race that their author saw: if somebody has corrected it since, they are refused with
       * `run-corrected`. Absent: they win in any case, as about now.
       */
      was: z.int().optional(),
    }),
    output: StoredCarRace,
  }),
  undoCorrection: command({
    auth: 'signed-in',
    summary:
      'Takes a correction of runs back: positions and the other corrections decide again. Idempotent.',
    input: ofSession.extend({ correctionId: RunCorrectionId }),
    output: StoredCarRace,
  }),
}
