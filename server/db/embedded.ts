import { access, constants, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, sql } from 'kysely'
import { columnParsers } from './columnTypes.ts'
import { type Database, DatabaseRefused } from './database.ts'
import { type DirectoryLock, lockDirectory } from './directoryLock.ts'
import { EmbeddedDialect } from './embeddedDialect.ts'
import type { Tables } from './tables.ts'

const checkpointEveryMs = 60_000
const vacuumEveryMs = 600_000
/** Their rows change or go all the time, and PGlite has no autovacuum. */
const hotTables = ['sessions', 'logins', 'login_codes', 'rate_counts'] as const

/** PGlite's settings for us: with its own defaults the process grows to 800 MB instead of 190. */
export const embeddedOptions = {
  parsers: columnParsers,
  startParams: [
    ...PGlite.defaultStartParams,
    '-c',
    'shared_buffers=16MB',
    '-c',
    'max_wal_size=64MB',
    '-c',
    'min_wal_size=32MB',
    // After a recovery its timer would go on ticking and keep the process from ending.
    '-c',
    'log_startup_progress_interval=0',
  ],
}

/** Opens the embedded database in `<dataDir>/db`, made at the first start. One process at a time. */
export async function openEmbedded(
  dataDir: string,
  onWarning: (error: unknown) => void,
): Promise<Database> {
  const directory = path.resolve(dataDir, 'db')
  await makeFolder(path.dirname(directory))
  const lock = await lockDirectory(directory, onWarning)
  try {
    const pglite = await startPglite(directory)
    return withCare(embeddedDatabase(pglite), lock, onWarning)
  } catch (error) {
    lock.release()
    throw error
  }
}

/** It holds what people told us: nobody else on the machine reads it. */
async function makeFolder(folder: string) {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new DatabaseRefused(`DATA_DIR: ${folder} is no folder that can be written to (${why}).`)
  }
}

/** A running PGlite as our database. It must have been made with `embeddedOptions`. */
export function embeddedDatabase(pglite: PGlite, closePglite = () => pglite.close()): Database {
  const db = new Kysely<Tables>({ dialect: new EmbeddedDialect(pglite, closePglite) })
  let closing: Promise<void> | undefined
  return {
    db,
    engine: 'embedded',
    close: () => (closing ??= db.destroy()),
    async ping() {
      await sql`select 1`.execute(db)
    },
    patiently: work => work(),
  }
}

async function startPglite(directory: string): Promise<PGlite> {
  // A first start that was cut short leaves half a database that looks like a whole one.
  const making = `${directory}.making`
  if (await exists(making)) await rm(directory, { recursive: true, force: true })
  const fresh = !(await exists(path.join(directory, 'PG_VERSION')))
  if (fresh) await writeFile(making, '')
  const pglite = await createPglite(directory)
  if (fresh) await rm(making)
  return pglite
}

/**
 * Starting it now and then fails inside its own loader, most often in the recovery after a kill, and
 * succeeds with the same files the next time.
 */
async function createPglite(directory: string): Promise<PGlite> {
  try {
    return await PGlite.create(directory, embeddedOptions)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return PGlite.create(directory, embeddedOptions)
  }
}

function withCare(
  database: Database,
  lock: DirectoryLock,
  onWarning: (error: unknown) => void,
): Database {
  const { db } = database
  const checkpoints = setInterval(() => {
    sql`checkpoint`.execute(db).catch(onWarning)
  }, checkpointEveryMs).unref()
  const vacuums = setInterval(() => {
    vacuum(db).catch(onWarning)
  }, vacuumEveryMs).unref()
  let closing: Promise<void> | undefined
  return { ...database, close: () => (closing ??= close()) }

  async function close() {
    clearInterval(checkpoints)
    clearInterval(vacuums)
    try {
      await database.close()
    } finally {
      lock.release()
    }
  }
}

async function vacuum(db: Kysely<Tables>) {
  for (const table of hotTables) await sql`vacuum ${sql.table(table)}`.execute(db)
}

async function exists(file: string) {
  return access(file).then(
    () => true,
    () => false,
  )
}
