import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { textIn } from '#racing/formats/textIn.ts'

/** Reads the recorded feeds of official timing in the folder `TIMING_FOLDER`; none without it. */
export function timingRecordings(): string[] {
  const folder = process.env.TIMING_FOLDER
  if (!folder) return []
  return readdirSync(folder)
    .sort()
    .map(name => textIn(readFileSync(join(folder, name))))
}
