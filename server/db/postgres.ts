import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  sql,
} from 'kysely'
import pg from 'pg'
import { columnParsers } from './columnTypes.ts'
import { commit } from './commit.ts'
import { type Database, DatabaseRefused } from './database.ts'
import type { Tables } from './tables.ts'

/** What each process calls itself begins so: an operator sees it in `pg_stat_activity`. */
const processName = 'pitboard '

const oldestMajor = 15
const connectTimeoutMs = 10_000
/** OPERATIONS.md states their sum: `max_connections` has to hold it once for each node. */
const ordinaryConnections = 10
/** Messages to the driver and receipts: a few milliseconds each, so few connections carry many. */
const commandConnections = 3

/**
 * A connection in use on which nothing comes for so long is broken: a machine that vanished says no goodbye,
 * and the system would wait a quarter of an hour for it. No statement of a running server takes nearly as long.
 */
const brokenAfterMs = 120_000

/** Opens a pool on a PostgreSQL server and asks it its version. */
export async function openPostgres(
  databaseUrl: string,
  onWarning: (error: unknown) => void,
  silenceMs: number = brokenAfterMs,
): Promise<Database> {
  let patient = 0
  let closing: Promise<void> | undefined
  const settings: pg.PoolConfig = {
    connectionString: databaseUrl,
    application_name: `${processName}${randomUUID()}`,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    stream: () => breakingOff(silenceMs, () => patient > 0),
    types: { getTypeParser },
  }
  const open = (max: number) =>
    openPool({ ...settings, max }, error => {
      if (!closing) onWarning(error)
    })
  const db = open(ordinaryConnections)
  const commandDb = open(commandConnections)
  const close = () => (closing ??= Promise.all([db.destroy(), commandDb.destroy()]).then(() => {}))
  try {
    await refuseOldServer(db)
  } catch (error) {
    await close()
    if (error instanceof DatabaseRefused) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new DatabaseRefused(`DATABASE_URL: the PostgreSQL server cannot be used (${why}).`)
  }
  return {
    db,
    commandDb,
    engine: 'postgres',
    failure: new Promise(() => {}),
    close,
    async ping() {
      await sql`select 1`.execute(db)
    },
    async withoutStatementTimeout(work) {
      patient += 1
      return work().finally(() => {
        patient -= 1
      })
    },
  }
}

function openPool(settings: pg.PoolConfig, onIdleError: (error: Error) => void): Kysely<Tables> {
  const pool = new pg.Pool(settings)
  // An idle connection that breaks emits here; without a listener it would end the process.
  pool.on('error', onIdleError)
  // A connection in use rejects its statement and also emits here: between two statements nobody else listens.
  pool.on('connect', client => client.on('error', () => undefined))
  return new Kysely<Tables>({ dialect: new StrictPostgresDialect({ pool }) })
}

/** A socket that ends when nothing passes for so long. Connections that idle are closed before, by the pool. */
function breakingOff(silenceMs: number, isPatient: () => boolean): Socket {
  const socket = new Socket()
  socket.setTimeout(silenceMs)
  socket.on('timeout', () => {
    if (isPatient()) socket.setTimeout(silenceMs)
    else socket.destroy(new DatabaseSilent(silenceMs))
  })
  return socket
}

/** Counts as a database that is away. */
class DatabaseSilent extends Error {
  readonly code = 'ETIMEDOUT'

  constructor(silenceMs: number) {
    super(`The database has not said anything for ${silenceMs} ms`)
  }
}

class StrictPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig

  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver() {
    return new StrictPostgresDriver(this.#config)
  }
}

class StrictPostgresDriver extends PostgresDriver {
  override async commitTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw(commit))
  }
}

async function refuseOldServer(db: Kysely<Tables>) {
  const answer = await sql<{ version: number }>`
    select current_setting('server_version_num')::int as version`.execute(db)
  const major = Math.floor((answer.rows[0]?.version ?? 0) / 10_000)
  if (major < oldestMajor)
    throw new DatabaseRefused(
      `The database server is PostgreSQL ${major}; Pitboard needs ${oldestMajor} or newer.`,
    )
}

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  const own = format === 'binary' ? undefined : columnParsers[oid]
  return own ?? pg.types.getTypeParser(oid, format)
}
