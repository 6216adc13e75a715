import { z } from 'zod'
import { StoredCarRace } from './carRaces.ts'
import { command } from './endpoint.ts'
import { CarId, DriverId, EpochMs, SessionId, StintId } from './ids.ts'
import { maxStintEdits } from './shared/stintRules.ts'

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
  add: command({
    auth: 'signed-in',
    summary:
      'Changes the driver of the car: a stint starts now, or at a time of its race. Idempotent by the id of the stint, also after the stint was changed or removed. A change to the driver who takes over in the same stop is the same change: the earlier time counts, and if it was undone since, nothing is added.',
    input: ofSession.extend({
      stintId: StintId,
      driverId: DriverId.nullable(),
      /** Without it, now. A time in the future is now. */
      from: EpochMs.optional(),
    }),
    output: StoredCarRace,
  }),
  keepDriver: command({
    auth: 'signed-in',
    summary:
      'Enters that the driver stayed in the car at a stop, where the plan has another one (`sameDriverAt`). Begins no stint. Idempotent by the id, with which `stints.remove` takes it back.',
    input: ofSession.extend({
      stintId: StintId,
      /** A time in the stop. */
      at: EpochMs,
    }),
    output: StoredCarRace,
  }),
  edit: command({
    auth: 'signed-in',
    summary:
      'Corrects stints by hand: all steps in their order, or none. Each is idempotent, and a stint may have the driver of the one before it.',
    input: ofSession.extend({ edits: z.array(StintEdit).min(1).max(maxStintEdits) }),
    output: StoredCarRace,
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
    output: StoredCarRace,
  }),
  setAutoPit: command({
    auth: 'signed-in',
    summary:
      'Sets whether the plan sends PIT in the lap of the stop, once, in the name of the caller. Never over FCY, SC, Code 60 and ABORT.',
    input: ofSession.extend({ on: z.boolean() }),
    output: StoredCarRace,
  }),
  setCar: command({
    auth: 'signed-in',
    summary: 'Sets the car of a session, or none, also after its end.',
    input: ofSession.extend({ carId: CarId.nullable() }),
    output: StoredCarRace,
  }),
}
