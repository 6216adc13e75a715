import { createHash, randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type PostgresPool,
  sql,
} from 'kysely'
import pg from 'pg'
import { commit } from '../commit.ts'
import { type Database, DatabaseRefused, readLimitMs } from '../database.ts'
import { isPrepared } from '../prepared.ts'
import { columnParsers } from '../schema/columnTypes.ts'
import type { Tables } from '../schema/tables.ts'

/** Prefix of `application_name`: identifies our connections in `pg_stat_activity`. */
const processName = 'pitboard '

const minMajorVersion = 15
const connectTimeoutMs = 10_000
/** OPERATIONS.md states the sum of the three pools: `max_connections` must allow it once per node. */
const ordinaryConnections = 6
const readConnections = 4
/** For messages to the driver and receipts: they take a few milliseconds each, so few connections suffice. */
const commandConnections = 3

/**
 * A connection in use that receives nothing for this long is broken: a machine that vanishes sends no FIN,
 * and the operating system would take 15 minutes to notice. No statement of a running server takes nearly as
 * long.
 */
const defaultStallTimeoutMs = 120_000

interface PostgresSettings {
  databaseUrl: string
  /** Called for background errors that the database survives. */
  onWarning: (error: unknown) => void
  stallTimeoutMs?: number
  /** Tests pass pools that stay open. */
  openPool?: (...args: Parameters<typeof createPool>) => PostgresPool
  /** The time limit of statements of `readDb`. */
  statementLimitMs?: number
}

/** Opens the pools on a PostgreSQL server and checks its version. */
export async function openPostgres({
  databaseUrl,
  onWarning,
  stallTimeoutMs = defaultStallTimeoutMs,
  openPool = createPool,
  statementLimitMs = readLimitMs,
}: PostgresSettings): Promise<Database> {
  let exemptions = 0
  let closing: Promise<void> | undefined
  const settings: pg.PoolConfig = {
    connectionString: databaseUrl,
    application_name: `${processName}${randomUUID()}`,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    stream: () => createSocket(stallTimeoutMs, () => exemptions > 0),
    types: { getTypeParser },
  }
  const open = (max: number, limits: pg.PoolConfig = {}) => {
    const pool = openPool({ ...settings, ...limits, max }, error => {
      if (!closing) onWarning(error)
    })
    return new Kysely<Tables>({ dialect: new StrictPostgresDialect({ pool }) })
  }
  const db = open(ordinaryConnections)
  const commandDb = open(commandConnections)
  const readDb = open(readConnections, { statement_timeout: statementLimitMs })
  const close = () =>
    (closing ??= Promise.all([db, commandDb, readDb].map(each => each.destroy())).then(() => {}))
  await refuseOldServer(db).catch(async (error: unknown) => {
    await close()
    throw asRefused(error)
  })
  return {
    db,
    commandDb,
    readDb,
    engine: 'postgres',
    failure: new Promise(() => {}),
    close,
    async ping() {
      await sql`select 1`.execute(db)
    },
    async withoutStatementTimeout(work) {
      exemptions += 1
      return work().finally(() => {
        exemptions -= 1
      })
    },
  }
}

/** Names of prepared statements by their text. */
const names = new Map<string, string>()

/**
 * Prepares statements that are marked as `prepared` once per connection. Other statements are parsed and planned for each
 * run, which with long arrays takes as long as running them.
 */
class PreparingClient extends pg.Client {
  // oxlint-disable-next-line typescript/no-explicit-any -- one of many overloads of `query`
  override query(...args: any[]): any {
    const [text, values] = args
    if (typeof text !== 'string' || !isPrepared(text)) return super.query(...(args as [string]))
    return super.query({ name: nameOf(text), text, values })
  }
}

function nameOf(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = `prepared ${createHash('sha256').update(text).digest('base64url')}`
  names.set(text, name)
  return name
}

/** Creates a pool whose connections prepare marked statements, and may break without ending the process. */
export function createPool(settings: pg.PoolConfig, onIdleError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ ...settings, Client: PreparingClient })
  // An idle connection that breaks emits `error` here; without a listener it would end the process.
  pool.on('error', onIdleError)
  // A connection in use rejects its statement and also emits `error`, which has no listener between two
  // statements.
  pool.on('connect', client => client.on('error', () => undefined))
  return pool
}

/**
 * Creates a socket that is destroyed after `stallTimeoutMs` without traffic. The pool closes idle connections
 * earlier.
 */
function createSocket(stallTimeoutMs: number, isExempt: () => boolean): Socket {
  const socket = new Socket()
  socket.setTimeout(stallTimeoutMs)
  socket.on('timeout', () => {
    if (isExempt()) socket.setTimeout(stallTimeoutMs)
    else socket.destroy(new DatabaseTimeout(stallTimeoutMs))
  })
  return socket
}

/** Treated as a database that is away. */
class DatabaseTimeout extends Error {
  readonly code = 'ETIMEDOUT'

  constructor(stallTimeoutMs: number) {
    super(`The database sent nothing for ${stallTimeoutMs} ms`)
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
  if (major < minMajorVersion)
    throw new DatabaseRefused(
      `The database server is PostgreSQL ${major}; Pitboard needs ${minMajorVersion} or newer.`,
    )
}

function asRefused(error: unknown): DatabaseRefused {
  if (error instanceof DatabaseRefused) return error
  const why = error instanceof Error ? error.message : String(error)
  return new DatabaseRefused(`DATABASE_URL: the PostgreSQL server cannot be used (${why}).`)
}

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  const own = format === 'binary' ? undefined : columnParsers[oid]
  return own ?? pg.types.getTypeParser(oid, format)
}
