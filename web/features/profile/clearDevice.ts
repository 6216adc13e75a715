import { fixDatabase, forgetStored, versionKey } from '#web/device/stored.ts'
import { lostFixesKey, receiptsKey } from '#web/live/storedKeys.ts'

/** Positions and receipts that are not sent yet name their user: nobody else sends or sees them. */
const stays = [versionKey, fixDatabase, receiptsKey, lostFixesKey]

/**
 * Forgets what this app keeps on the device about a person. The app itself stays installed, and so does
 * what was driven and is not sent yet: the login may have ended on its own, and the driver comes back.
 */
export function clearDevice(): Promise<void> {
  return forgetStored(key => stays.includes(key))
}
