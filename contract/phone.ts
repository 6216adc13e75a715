import { z } from 'zod'
import { EpochMs } from './ids.ts'

/**
 * State of the phone in the car: the drive screen is visible; hidden, because the phone is locked or
 * another app is in front; the driver is leaving the drive screen; it has no network.
 */
export const Presence = z.enum(['shown', 'hidden', 'leaving', 'offline'])
export type Presence = z.infer<typeof Presence>

/**
 * State of the phone's receiver: a good position, a position worse than 300 m, no position now, access denied by the
 * driver, or a browser without a receiver.
 */
export const GpsState = z.enum(['good', 'inaccurate', 'lost', 'denied', 'missing'])
export type GpsState = z.infer<typeof GpsState>

/** The state report of the phone in the car. Times are the server's clock as the phone knows it. */
export const PhoneState = z.object({
  /**
   * The opening time of the current drive screen and the number of its reports since: together they order
   * reports.
   */
  drivingSince: EpochMs,
  count: z.int().min(0),
  presence: Presence,
  presenceSince: EpochMs,
  gps: GpsState,
  gpsSince: EpochMs,
  /** Null where the browser does not report it. */
  battery: z.object({ percent: z.int().min(0).max(100), charging: z.boolean() }).nullable(),
  /** `phoneFaults`, most important first. A reader skips what it does not know. */
  problems: z
    .array(z.string().regex(/^[a-z]{1,20}$/))
    .max(10)
    .optional(),
})
export type PhoneState = z.infer<typeof PhoneState>
