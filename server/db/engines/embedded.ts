import { access, constants, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { Kysely, sql } from 'kysely'
import { type Database, DatabaseRefused, readLimitMs } from '../database.ts'
import { type DirectoryLock, lockDirectory } from '../directoryLock.ts'
import { type Lane, PriorityMutex } from '../priorityMutex.ts'
import type { Tables } from '../schema/tables.ts'
import { dropBackupSlot } from './copyEmbedded.ts'
import { EmbeddedDialect, type OnRun } from './dialect.ts'
import type { EmbeddedEngine } from './engine.ts'
import { openRecovering } from './recoveringEngine.ts'
import { refuseInterruptedRestore } from './restoreMarker.ts'

const checkpointIntervalMs = 60_000
const vacuumIntervalMs = 600_000
/** Tables whose rows change all the time, because PGlite has no autovacuum. */
const hotTables = ['sessions', 'logins', 'login_codes', 'rate_counts'] as const

/**
 * Opens the embedded database in `<dataDir>/db`, created at the first start. Only one process at a time may
 * open it.
 */
export async function openEmbedded(
  dataDir: string,
  onWarning: (error: unknown) => void,
  openEngine?: (directory: string) => Promise<EmbeddedEngine>,
): Promise<Database> {
  const directory = path.resolve(dataDir, 'db')
  await makeFolder(path.dirname(directory))
  refuseInterruptedRestore(path.dirname(directory))
  const lock = await lockDirectory(directory, onWarning)
  try {
    const engine = await openRecovering(directory, onWarning, openEngine)
    const database = embeddedDatabase(engine, onWarning)
    await dropBackupSlot(database.db)
    return withMaintenance(database, lock, onWarning)
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Creates the data folder, unreadable for other users of the machine: it contains personal data. */
async function makeFolder(folder: string) {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new DatabaseRefused(`DATA_DIR: ${folder} is not a writable folder (${why}).`)
  }
}

/** Wraps a running engine as a Database. `onWarning` is called for statements that took longer than their time limit. */
export function embeddedDatabase(
  engine: EmbeddedEngine,
  onWarning: (error: unknown) => void = () => undefined,
): Database {
  const mutex = new PriorityMutex()
  const openLane = (lane: Lane, onRun?: OnRun) =>
    new Kysely<Tables>({ dialect: new EmbeddedDialect({ engine, mutex, lane, onRun }) })
  const db = openLane('ordinary')
  const reportSlow: OnRun = (statement, tookMs) => {
    if (tookMs > readLimitMs) onWarning(new SlowStatement(statement, tookMs))
  }
  let closing: Promise<void> | undefined
  return {
    db,
    commandDb: openLane('command'),
    readDb: openLane('ordinary', reportSlow),
    engine: 'embedded',
    failure: engine.failure,
    close: () => (closing ??= close()),
    async ping() {
      await sql`select 1`.execute(db)
    },
    withoutStatementTimeout: work => work(),
  }

  /** The mutex rejects both lanes from now on, so neither handle has to be destroyed. */
  async function close() {
    const release = await mutex.acquireLast()
    try {
      await engine.close()
    } finally {
      release()
    }
  }
}

/** Everybody waited for this statement: the embedded database cannot end it. */
class SlowStatement extends Error {
  constructor(statement: string, tookMs: number) {
    super(`A statement took ${Math.round(tookMs)} ms: ${statement.slice(0, 300)}`)
  }
}

function withMaintenance(
  database: Database,
  lock: DirectoryLock,
  onWarning: (error: unknown) => void,
): Database {
  const { db } = database
  const checkpoints = setInterval(() => {
    sql`checkpoint`.execute(db).catch(onWarning)
  }, checkpointIntervalMs).unref()
  const vacuums = setInterval(() => {
    vacuum(db).catch(onWarning)
  }, vacuumIntervalMs).unref()
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
