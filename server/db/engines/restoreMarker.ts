import fs from 'node:fs'
import path from 'node:path'
import { DatabaseRefused } from '../database.ts'

/** The file that exists while a restore replaces the folders of a data folder. */
export function restoreMarker(dataDir: string): string {
  return path.join(dataDir, 'restore.interrupted')
}

/**
 * Throws after an interrupted restore: the server must not start on a database and files of different times.
 */
export function refuseInterruptedRestore(dataDir: string) {
  if (fs.existsSync(restoreMarker(dataDir)))
    throw new DatabaseRefused(
      `A restore into ${dataDir} was interrupted. Run "npm run restore -- FOLDER" again.`,
    )
}
