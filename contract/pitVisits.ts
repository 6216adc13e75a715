import { z } from 'zod'
import { EpochMs } from './ids.ts'

/** A visit to the pits, from the beginning of the pit lane to its end, computed with the laps. */
export const PitVisit = z.object({
  startedAt: EpochMs,
  /** Null while the car is in the pits, or if the drive ended there. */
  endedAt: EpochMs.nullable(),
  /** When the car stopped in its box: the longest stop of the visit. Null if it has not stopped. */
  stoppedAt: EpochMs.nullable(),
  /** The time at which the car left its box; null until then, or if it has not stopped. */
  leftAt: EpochMs.nullable(),
})
export type PitVisit = z.infer<typeof PitVisit>
