import { answersKey, driverChangesKey, lostFixesKey, receiptsKey } from '#client/storedKeys.ts'
import { clearStored, fixDatabase, versionKey } from '#web/device/stored.ts'

/** Unsent positions, receipts, answers and driver changes carry their user's id: no other user sends or sees them. */
const stays = [versionKey, fixDatabase, receiptsKey, answersKey, driverChangesKey, lostFixesKey]

/**
 * Deletes the person's data from the device. The app stays installed, and so do unsent positions: the
 * login may have expired on its own, and the driver signs in again.
 */
export function clearDevice(): Promise<void> {
  return clearStored(key => stays.includes(key))
}
