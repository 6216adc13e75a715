import { createHash } from 'node:crypto'
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

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

/** Returns the path of a folder in the cache, filled by `make` if it is missing. */
export async function cachedFolder(
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const found = fileURLToPath(new URL(name, testCache))
  if (await isThere(found)) return found
  await mkdir(fileURLToPath(testCache), { recursive: true })
  const temporary = await mkdtemp(`${found}-`)
  try {
    await make(temporary)
    // An atomic rename: another test process never copies a partial folder, and may have created it first.
    await rename(temporary, found)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    if (!(await isThere(found))) throw error
  }
  return found
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
