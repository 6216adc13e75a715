import { z } from 'zod'
import { EpochMs } from './ids.ts'
import { maxAccuracyM, maxLatitude, maxLongitude, topSpeedKmh } from './shared/bounds.ts'

/** One GPS reading. `at` is when it was taken, by the server's clock as the phone knows it. */
export const Fix = z.object({
  at: EpochMs,
  latitude: z.number().min(-maxLatitude).max(maxLatitude).nullable(),
  longitude: z.number().min(-maxLongitude).max(maxLongitude).nullable(),
  speedKmh: z.int().min(0).max(topSpeedKmh).nullable(),
  accuracyM: z.number().min(0).max(maxAccuracyM).nullable(),
})
export type Fix = z.infer<typeof Fix>
