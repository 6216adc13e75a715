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

const oldestMajor = 15
const connectTimeoutMs = 10_000

/** Opens a pool on a PostgreSQL server and asks it its version. */
export async function openPostgres(
  databaseUrl: string,
  onWarning: (error: unknown) => void,
): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'pitboard',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types: { getTypeParser },
  })
  let closing: Promise<void> | undefined
  // An idle connection that breaks emits here; without a listener it would end the process.
  pool.on('error', error => {
    if (!closing) onWarning(error)
  })
  const db = new Kysely<Tables>({ dialect: new StrictPostgresDialect({ pool }) })
  const close = () => (closing ??= db.destroy())
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
    engine: 'postgres',
    close,
    async ping() {
      await sql`select 1`.execute(db)
    },
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
