import fs from 'node:fs'
import path from 'node:path'
import { DatabaseRefused } from '../database.ts'

/** Exists while a restore replaces the folders of a data folder. */
export function restoreMarker(dataDir: string): string {
  return path.join(dataDir, 'restore.interrupted')
}

/** A server must not start on a database of one time and files of another. */
export function refuseInterruptedRestore(dataDir: string) {
  if (fs.existsSync(restoreMarker(dataDir)))
    throw new DatabaseRefused(
      `A restore into ${dataDir} was interrupted. Run "npm run restore -- FOLDER" again.`,
    )
}
