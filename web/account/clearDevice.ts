import {
  answersKey,
  driverChangesKey,
  lostFixesKey,
  receiptsKey,
  shownFlagsKey,
} from '#client/storedKeys.ts'
import { clearStored, fixDatabase, versionKey } from '#web/device/stored.ts'

/** Unsent positions, receipts, answers, shown flags and driver changes carry their user's id: no other user sends or sees them. */
const stays = [
  versionKey,
  fixDatabase,
  receiptsKey,
  answersKey,
  shownFlagsKey,
  driverChangesKey,
  lostFixesKey,
]

/**
 * Deletes the person's data from the device. The app stays installed, and so do unsent positions: the
 * login may have expired on its own, and the driver signs in again.
 */
export function clearDevice(): Promise<void> {
  return clearStored(key => stays.includes(key))
}
