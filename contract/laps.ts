import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { EpochMs, SessionId } from './ids.ts'
import { lapKinds, yellowMessages } from './shared/lapKinds.ts'
import { lapTimingStops } from './shared/lapTimingStops.ts'
import { pages } from './shared/storedBounds.ts'

/** A lap has at most this number, because a session is not longer than some days. */
const maxLapNumber = 1_000_000

/** If more laps changed, the change is published without its content. */
export const maxChangedLaps = 10

export const Lap = z.object({
  /** 0 for a part before the first crossing, then 1, 2, 3. */
  number: z.int(),
  startedAt: EpochMs,
  timeMs: z.int(),
  /** Half the interval that contains the true time in 95 % of laps. */
  plusMinusMs: z.int(),
  kind: z.enum(lapKinds),
  /** False if a gap in reception hid a crossing of the line: the time is approximate. */
  isSeen: z.boolean(),
  /** True for an `in` lap that ended at the line beside the pit lane, and for an `incomplete` one over a gap in reception. */
  endsAtLine: z.literal(true).optional(),
  /** True if it has a `yellowFlag` or `yellowMessage`, or `marked` is true: the lap is then not compared. */
  yellow: z.boolean(),
  /** The message to the car that was current during the lap while no official flag was known, the first of several. */
  yellowMessage: z.enum(yellowMessages).nullable(),
  /** The official flag during the lap that makes it yellow, the first of several. Absent from older servers. */
  yellowFlag: z.string().nullable().optional(),
  /** True if a member marked the lap yellow. */
  marked: z.boolean(),
})
export type Lap = z.infer<typeof Lap>

export const LapTable = z.object({
  /** False if lap timing is off: there are no laps then. */
  lapTiming: z.boolean(),
  /** Null while it is not known; without a name if it was learned from the session's positions. */
  circuit: z
    .object({
      name: z.string().nullable(),
      lengthM: z.int(),
      /** True if its pit-out line is known: visits to the pits end there, else about where the car sped up. */
      knowsPitOut: z.boolean().optional(),
    })
    .nullable(),
  /** The receiver is too poor for lap times: laps are counted, times are approximate. */
  gpsPoor: z.boolean(),
  /** In order of time. */
  laps: z.array(Lap),
  /** Some positions are not included yet: `laps-changed` follows in the session's room if they change a lap, or the session has ended. */
  pending: z.boolean(),
  /** Number of the newest change of the laps. Missing before any were computed, and from older servers. */
  revision: z.int().optional(),
  /** `after` of the next page; missing if this is the last one. */
  next: z.int().optional(),
  /** Why no further laps are timed, until somebody uses `laps.timeAgain` or the server is updated. Missing while laps are timed. */
  stopped: z.enum(lapTimingStops).optional(),
})
export type LapTable = z.infer<typeof LapTable>

/** A change of the laps of the previous revision, which turns them into those of `revision`. */
export const LapsChange = z.object({
  revision: z.int(),
  gpsPoor: z.boolean(),
  /** Laps that were added or corrected. */
  laps: z.array(Lap).max(maxChangedLaps),
  /** Numbers of laps that were removed. */
  removed: z.array(z.int()).max(maxChangedLaps),
})
export type LapsChange = z.infer<typeof LapsChange>

export const laps = {
  list: read({
    auth: 'any-login',
    scopes: ['read', 'wall'],
    summary: `The laps of a session in pages of ${pages.laps}, in order of time.`,
    input: z.object({
      sessionId: SessionId,
      /** \`next\` of the page before. */
      after: z.coerce.number().int().min(0).max(maxLapNumber).optional(),
    }),
    output: LapTable,
  }),
  timeAgain: command({
    auth: 'signed-in',
    limit: 'costly',
    summary:
      'Times the laps of a session again whose timing has stopped. Returns the laps; others follow as `laps-changed`.',
    input: z.object({ sessionId: SessionId }),
    output: LapTable,
  }),
  mark: command({
    auth: 'signed-in',
    summary:
      'Marks a lap yellow, so that it is not compared, or removes the mark. A lap with a yellow flag or message stays yellow. Returns the first page of the laps of the session.',
    input: z.object({
      sessionId: SessionId,
      /** A time within the lap. The number of a lap changes when the laps are computed again. */
      at: EpochMs,
      marked: z.boolean(),
    }),
    output: LapTable,
  }),
}
