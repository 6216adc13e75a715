import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

const engine = new URL('../node_modules/@electric-sql/pglite/package.json', import.meta.url)

/** Where tests keep what is slow to make, from one run to the next. */
export const testCache = new URL('../node_modules/.cache/pitboard-test/', import.meta.url)

/** Changes whenever one of the migrations does, in this folder of the project, or the embedded database. */
export async function fingerprint(folder = 'server/db/migrations'): Promise<string> {
  const migrations = new URL(`../${folder}/`, import.meta.url)
  const hash = createHash('sha256').update(await readFile(engine))
  for (const name of (await readdir(migrations)).sort())
    hash.update(name).update(await readFile(new URL(name, migrations)))
  return hash.digest('hex').slice(0, 16)
}
