import { z } from 'zod'
import { EpochMs } from './ids.ts'

/**
 * What the phone in the car shows, by its own word: the drive screen; nothing that we know of, since
 * it is locked or another app is in front; it is leaving the drive screen; it has no network.
 */
export const Presence = z.enum(['shown', 'hidden', 'leaving', 'offline'])
export type Presence = z.infer<typeof Presence>

/**
 * What its receiver gives: a position, one worse than 300 m, none at this moment, none since the
 * driver does not allow it, or none ever, since the browser has no receiver.
 */
export const GpsState = z.enum(['good', 'inaccurate', 'lost', 'denied', 'missing'])
export type GpsState = z.infer<typeof GpsState>

/** The state of the phone in the car. Times are the server's clock as the phone knows it. */
export const PhoneState = z.object({
  /** Since when its drive screen is the one that counts, and how many times it has spoken since: the order of its words. */
  drivingSince: EpochMs,
  count: z.int().min(0),
  presence: Presence,
  presenceSince: EpochMs,
  gps: GpsState,
  gpsSince: EpochMs,
  /** None where the browser does not tell. */
  battery: z.object({ percent: z.int().min(0).max(100), charging: z.boolean() }).nullable(),
})
export type PhoneState = z.infer<typeof PhoneState>
