import type { EpochMs } from '#contract/ids.ts'
import { driveScreenKey } from '../storedKeys.ts'
import { isRecord, readJson, type TextStore } from '../textStore.ts'

/** An open drive screen, as a reload of its page continues it. */
export interface OpenScreen {
  /** When it was opened, by the server's clock. */
  readonly since: EpochMs
  /** The number of its reports of the phone's state: later reports need higher numbers. */
  readonly phoneCount: number
  /** A screen opened later drives. */
  readonly isReplaced: boolean
}

/** Reads the drive screen of a session that this tab showed before its page was reloaded. */
export function readDriveScreen(tabStore: TextStore, sessionId: string): OpenScreen | null {
  const stored = readJson(tabStore, driveScreenKey)
  if (!isRecord(stored) || stored.sessionId !== sessionId) return null
  const { since, phoneCount, isReplaced } = stored
  if (!Number.isInteger(since) || !Number.isInteger(phoneCount)) return null
  return { since: Number(since), phoneCount: Number(phoneCount), isReplaced: isReplaced === true }
}

export function storeDriveScreen(tabStore: TextStore, sessionId: string, screen: OpenScreen) {
  const text = JSON.stringify({ sessionId, ...screen })
  tabStore.write(driveScreenKey, text)
  // Writing failed: with an older number the reports after a reload would be ignored.
  if (tabStore.read(driveScreenKey) !== text) tabStore.remove(driveScreenKey)
}

/** Deletes the stored drive screen, when the user leaves it or opens it again. */
export function deleteDriveScreen(tabStore: TextStore) {
  tabStore.remove(driveScreenKey)
}
