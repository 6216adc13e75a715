import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

const migrations = new URL('../server/db/migrations/', import.meta.url)

/** Where tests keep what is slow to make, from one run to the next. */
export const testCache = new URL('../node_modules/.cache/pitboard-test/', import.meta.url)

/** Changes whenever a migration does. */
export async function fingerprint(): Promise<string> {
  const hash = createHash('sha256')
  for (const name of (await readdir(migrations)).sort())
    hash.update(name).update(await readFile(new URL(name, migrations)))
  return hash.digest('hex').slice(0, 16)
}
