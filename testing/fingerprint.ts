import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

const engine = new URL('../node_modules/@electric-sql/pglite/package.json', import.meta.url)

/** Cache of test data that is slow to create, shared by test runs. */
export const testCache = new URL('../node_modules/.cache/pitboard-test/', import.meta.url)

/** Returns a hash of the migrations in this folder and of the version of the embedded database. */
export async function fingerprint(folder = 'server/db/schema/migrations'): Promise<string> {
  const migrations = new URL(`../${folder}/`, import.meta.url)
  const hash = createHash('sha256').update(await readFile(engine))
  for (const name of (await readdir(migrations)).sort())
    hash.update(name).update(await readFile(new URL(name, migrations)))
  return hash.digest('hex').slice(0, 16)
}
