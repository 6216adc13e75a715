import { z } from 'zod'
import { EpochMs } from './ids.ts'
import {
  fullCircleDeg,
  maxAccuracyM,
  maxLatitude,
  maxLongitude,
  topSpeedKmh,
} from './shared/bounds.ts'

/**
 * One GPS reading. `at` is when the receiver took it, by the server's clock as the phone knows it. The optional
 * fields are absent in fixes of older builds.
 */
export const Fix = z.object({
  at: EpochMs,
  latitude: z.number().min(-maxLatitude).max(maxLatitude).nullable(),
  longitude: z.number().min(-maxLongitude).max(maxLongitude).nullable(),
  speedKmh: z.int().min(0).max(topSpeedKmh).nullable(),
  accuracyM: z.number().min(0).max(maxAccuracyM).nullable(),
  /** Direction over the ground: 0 is north, 90 is east. Null at standstill, or if it is unknown. */
  headingDeg: z.number().min(0).lt(fullCircleDeg).nullable().optional(),
  /** The receiver's time was not usable: `at` is when the reading arrived, up to some tenths of a second later. */
  atArrival: z.literal(true).optional(),
})
export type Fix = z.infer<typeof Fix>
