import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { Fill } from './fills.ts'
import { CarId, DriverId, EpochMs, RaceId, SessionId, StintId } from './ids.ts'
import { PitVisit } from './pitVisits.ts'
import { CarPlan, Race } from './races.ts'
import { Car, RosterDriver } from './roster.ts'
import { maxStintEdits } from './shared/stintRules.ts'

/** The time in which one person drives. A session always has a first stint, and the last one is open. */
export const Stint = z.object({
  /** Chosen by the client that added the stint; the first one has the id of its session. */
  id: StintId,
  /** From 1, in order of time. */
  number: z.int(),
  /** Null: the person who started the session drives. */
  driverId: DriverId.nullable(),
  from: EpochMs,
  /** The start of the next stint or the end of the session; null while it is driven. */
  to: EpochMs.nullable(),
  /** Only in the first stint: its driver drives on since an earlier session of the car, without a stop. */
  continues: z.literal(true).optional(),
})
export type Stint = z.infer<typeof Stint>

/** A stint of another session of the same race, as it counts: without the time in the pits. */
export const OtherStint = z.object({
  /** Null: nobody in the roster is linked to the person who drove. */
  driverId: DriverId.nullable(),
  from: EpochMs,
  to: EpochMs.nullable(),
  /** True if the same car was driven, before or after this session. */
  isSameCar: z.boolean(),
  /** True if a lap of it was yellow; false for other cars. */
  hadYellow: z.boolean(),
  /** Its driver drives on since the stint before it, in an earlier session of the same car, without a stop. */
  continues: z.literal(true).optional(),
})
export type OtherStint = z.infer<typeof OtherStint>

/** Fuel that a car burnt between two moments at which its level was known, and its laps in between. */
export const FuelUse = z.object({
  litres: z.number(),
  greenLaps: z.int(),
  yellowLaps: z.int(),
})
export type FuelUse = z.infer<typeof FuelUse>

/** The fuel with which a session ended: the last known level, and the car's laps and fills since. */
const EarlierFuel = z.object({
  /** Litres; null: the tank was full. */
  levelL: z.number().nullable(),
  /** True if nobody entered the level: the race started with a full tank. */
  isAssumed: z.boolean(),
  /** In order of time: laps, and the litres of the fill after them; null: no fill since these laps. */
  steps: z.array(
    z.object({
      greenLaps: z.int(),
      yellowLaps: z.int(),
      /** How many of the green laps a gap in reception hid. */
      hiddenLaps: z.int(),
      litres: z.number().nullable(),
    }),
  ),
})

/** The last crossing of the line in an earlier session, from which the car's laps go on with another phone. */
const EarlierEnd = z.object({
  /** Without the time of known stops and pauses of the race since then. */
  crossedAt: z.number(),
  /** The usual green lap then, in milliseconds; null if it is not known. */
  lapMs: z.number().nullable(),
  /** False if the car may have stopped or have been slow since then. */
  isCertain: z.boolean(),
})

/** All that is stored about the race of one car. Clocks, fuel and warnings are derived from it (`racing/`). */
export const RaceOfSession = z.object({
  /** Null: the session names no car. */
  car: Car.nullable(),
  /** Drivers of the team in its order, and the archived ones whom a stint of this session names. */
  drivers: z.array(RosterDriver),
  /** In order of time, at least one. */
  stints: z.array(Stint),
  /** The roster driver who started the session, by a link to that person or by name. Null if there is none. */
  starterId: DriverId.nullable(),
  /** Stints of other sessions of the race, which count for the time of a driver; in order of time. */
  otherStints: z.array(OtherStint),
  /** When the phone took over the car, if its session was started before: it counts from then. Absent otherwise. */
  takenOverAt: EpochMs.optional(),
  /** Fuel that this car burnt in earlier sessions of the race. The burn is learned from it as well. */
  earlierUses: z.array(FuelUse),
  /** The fuel with which this car's last session of the race ended; absent without one. The level goes on from it. */
  earlierFuel: EarlierFuel.optional(),
  /** Laps of the race that this car completed in earlier sessions; 0 if absent. */
  earlierLaps: z.int().optional(),
  /** Estimated number of further laps hidden there by gaps in reception; 0 if absent. */
  uncertainLaps: z.int().optional(),
  /** Laps since then are hidden, as by a gap in reception; absent if the car came from the pits or its phone did not fail. */
  earlierEnd: EarlierEnd.optional(),
  /** Null: the session drives no race. */
  race: Race.nullable(),
  /** The manual plan of this car in this race; null without a race. */
  plan: CarPlan.nullable(),
  /** In order of time; none if lap timing is off. */
  pitVisits: z.array(PitVisit),
  /** In order of time. */
  fills: z.array(Fill),
  /** True if the plan sends PIT one lap before the stop. */
  autoPit: z.boolean(),
})
export type RaceOfSession = z.infer<typeof RaceOfSession>

/** The values that the caller saw, so that only those that differ from them are stored. */
const Was = z.object({ driverId: DriverId.nullable(), from: EpochMs })

const EditedStint = z.object({
  stintId: StintId,
  /** May be archived: such a driver keeps the stints that they drove. */
  driverId: DriverId.nullable(),
  from: EpochMs,
})

/** One step of a correction by hand. */
export const StintEdit = z.discriminatedUnion('kind', [
  /** Adds a stint, which lasts until the next one. Idempotent by its id, also after it was changed or removed. */
  EditedStint.extend({ kind: z.literal('add') }),
  /**
   * Corrects the driver of a stint, or its start, which stays between the starts of its neighbours. With `was` another
   * person's correction of the other value stays, and one of the same value refuses this one with `entry-changed`.
   */
  EditedStint.extend({ kind: z.literal('change'), was: Was.optional() }),
  /**
   * Removes a stint: the one before it continues. The first one stays. Idempotent. With `was` it refuses with
   * `entry-changed` if the stint has other values.
   */
  z.object({ kind: z.literal('remove'), stintId: StintId, was: Was.optional() }),
])
export type StintEdit = z.infer<typeof StintEdit>

const ofSession = z.object({ sessionId: SessionId })

export const stints = {
  ofSession: read({
    auth: 'any-login',
    scopes: ['read', 'wall'],
    summary: 'Car, drivers, stints, race, plan, visits to the pits and fills of a session.',
    input: ofSession,
    output: RaceOfSession,
  }),
  add: command({
    auth: 'signed-in',
    summary:
      'Changes the driver: a stint starts now, or at a time of the session. Idempotent by the id of the stint, also after the stint was changed or removed. A change to the driver who takes over in the same stop is the same change: the earlier time counts, and if it was undone since, nothing is added.',
    input: ofSession.extend({
      stintId: StintId,
      driverId: DriverId.nullable(),
      /** Without it, now. A time in the future is now. */
      from: EpochMs.optional(),
    }),
    output: RaceOfSession,
  }),
  edit: command({
    auth: 'signed-in',
    summary:
      'Corrects stints by hand: all steps in their order, or none. Each is idempotent, and a stint may have the driver of the one before it.',
    input: ofSession.extend({ edits: z.array(StintEdit).min(1).max(maxStintEdits) }),
    output: RaceOfSession,
  }),
  remove: command({
    auth: 'signed-in',
    summary:
      'Removes a stint, such as a driver change by mistake: the stint before it continues. The first one stays. Undoes also the same change of another screen, unless it was made later. Idempotent.',
    input: ofSession.extend({
      stintId: StintId,
      /** When it was undone; without it, now. */
      at: EpochMs.optional(),
    }),
    output: RaceOfSession,
  }),
  setAutoPit: command({
    auth: 'signed-in',
    summary:
      'Sets whether the plan sends PIT one lap before the stop, once, in the name of the caller. Never over FCY, SC, Code 60 and ABORT.',
    input: ofSession.extend({ on: z.boolean() }),
    output: RaceOfSession,
  }),
  setCar: command({
    auth: 'signed-in',
    summary: 'Sets the car of a session, or none, also after its end.',
    input: ofSession.extend({ carId: CarId.nullable() }),
    output: RaceOfSession,
  }),
  setRace: command({
    auth: 'signed-in',
    summary:
      'Lets a session join a race of its team, with its car, or leave the one it drives, also after its end.',
    input: ofSession.extend({ raceId: RaceId.nullable() }),
    output: RaceOfSession,
  }),
}
