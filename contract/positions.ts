import { z } from 'zod'
import { EpochMs } from './ids.ts'

/** One GPS reading. `at` is when it was taken, by the server's clock as the phone knows it. */
export const Fix = z.object({
  at: EpochMs,
  latitude: z.number().min(-90).max(90).nullable(),
  longitude: z.number().min(-180).max(180).nullable(),
  speedKmh: z.int().min(0).max(320).nullable(),
  accuracyM: z.number().min(0).max(1e6).nullable(),
})
export type Fix = z.infer<typeof Fix>
