import {
  answersKey,
  driverMessageKey,
  lostFixesKey,
  receiptsKey,
} from '#client/driver/storedKeys.ts'
import { driverChangesKey } from '#client/stints/driverChangesKey.ts'
import { lapsKey } from '#web/device/lapsKey.ts'
import { fixDatabase, versionKey } from '#web/device/stored.ts'

/** Unsent entries and measurements are no cache: the server cannot restore them. */
const keptKeys = new Set([
  versionKey,
  fixDatabase,
  receiptsKey,
  answersKey,
  driverChangesKey,
  driverMessageKey,
  lapsKey,
  lostFixesKey,
])

/** Returns whether a storage key or database survives the update to a newer build. */
export function survivesUpdate(name: string): boolean {
  return keptKeys.has(name) || name.startsWith('pitboard.login')
}
