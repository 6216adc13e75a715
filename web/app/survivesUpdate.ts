import {
  answersKey,
  drivenSessionKey,
  driverChangesKey,
  driverMessageKey,
  driveScreenKey,
  linkOffKey,
  lostFixesKey,
  receiptsKey,
  shownFlagsKey,
} from '#client/storedKeys.ts'
import { lapsKey } from '#web/device/lapsKey.ts'
import { fixDatabase, planDraftKey, settingKeys, versionKey } from '#web/device/stored.ts'

/**
 * Unsent entries and measurements are no cache: the server cannot restore them. A phone without a network keeps to a
 * data link that was turned off, and a replaced drive screen stays replaced. Settings stay, so that a crew sets up a
 * device only once.
 */
const keptKeys = new Set<string>([
  ...Object.values(settingKeys),
  versionKey,
  fixDatabase,
  receiptsKey,
  answersKey,
  shownFlagsKey,
  driverChangesKey,
  driverMessageKey,
  drivenSessionKey,
  driveScreenKey,
  lapsKey,
  lostFixesKey,
  linkOffKey,
  planDraftKey,
])

/** Returns whether a storage key or database survives the update to a newer build. */
export function survivesUpdate(name: string): boolean {
  return keptKeys.has(name) || name.startsWith('pitboard.login')
}
