import { fixDatabase, versionKey } from '#web/device/stored.ts'
import { driverMessageKey, lostFixesKey, receiptsKey } from '#web/live/storedKeys.ts'

/** Unsent positions and receipts are measurements, not a cache: the server has them from nowhere else. */
const kept = new Set([versionKey, fixDatabase, receiptsKey, driverMessageKey, lostFixesKey])

/** Whether an entry or database of this name survives the change to a newer build. */
export function staysThroughUpdate(name: string): boolean {
  return kept.has(name) || name.startsWith('pitboard.login')
}
