import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Returns the path of a file with keys in the data folder. Backups do not contain it. */
export function keyFile(dataDir: string, name: string): string {
  return join(dataDir, 'https', name)
}

/** Reads a file; undefined if there is none. */
export async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Replaces a file at once, so that a power cut leaves the old or the new one. Only its owner can read it. */
export async function writePrivately(path: string, text: string) {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(`${path}.new`, text, { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
}
