import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import { commit } from './commit.ts'
import { Turns } from './turns.ts'

/** Kysely on PGlite. There is one connection: queries and whole transactions take turns on it. */
export class EmbeddedDialect implements Dialect {
  readonly #pglite: PGlite
  readonly #close: () => Promise<void>

  /** `close` comes after everything that runs or waits. */
  constructor(pglite: PGlite, close: () => Promise<void>) {
    this.#pglite = pglite
    this.#close = close
  }

  createDriver() {
    return new EmbeddedDriver(this.#pglite, this.#close)
  }

  createQueryCompiler() {
    return new PostgresQueryCompiler()
  }

  createAdapter() {
    return new PostgresAdapter()
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- the interface of Dialect
  createIntrospector(db: Kysely<any>) {
    return new PostgresIntrospector(db)
  }
}

class EmbeddedDriver implements Driver {
  readonly #pglite: PGlite
  readonly #close: () => Promise<void>
  readonly #turns = new Turns()
  readonly #releases = new WeakMap<DatabaseConnection, () => void>()

  constructor(pglite: PGlite, close: () => Promise<void>) {
    this.#pglite = pglite
    this.#close = close
  }

  async init() {
    await this.#pglite.waitReady
  }

  async acquireConnection() {
    const release = await this.#turns.take()
    const connection = new EmbeddedConnection(this.#pglite)
    this.#releases.set(connection, release)
    return connection
  }

  async releaseConnection(connection: DatabaseConnection) {
    const release = this.#releases.get(connection)
    this.#releases.delete(connection)
    release?.()
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings) {
    const isolation = settings.isolationLevel ? ` isolation level ${settings.isolationLevel}` : ''
    const access = settings.accessMode ? ` ${settings.accessMode}` : ''
    await connection.executeQuery(CompiledQuery.raw(`start transaction${isolation}${access}`))
  }

  async commitTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw(commit))
  }

  async rollbackTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  async destroy() {
    const release = await this.#turns.takeLast()
    try {
      await this.#close()
    } finally {
      release()
    }
  }
}

class EmbeddedConnection implements DatabaseConnection {
  readonly #pglite: PGlite

  constructor(pglite: PGlite) {
    this.#pglite = pglite
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return await this.#run<Row>(query)
    } finally {
      // PGlite answers in microtasks: a loop of awaited queries would never let a socket speak.
      await nextTurn()
    }
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Queries are not streamed: read pages with limit instead.')
  }

  async #run<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (query.parameters.length > 0)
      return resultOf(await this.#pglite.query<Row>(query.sql, [...query.parameters]))
    // Without parameters the text may hold several statements, as with PostgreSQL's driver.
    const results = await this.#pglite.exec(query.sql)
    const [only] = results
    return only && results.length === 1
      ? resultOf({ ...only, rows: only.rows as Row[] })
      : { rows: [] }
  }
}

interface Answer<Row> {
  rows: Row[]
  command?: string
  rowCount?: number
}

const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

function resultOf<Row>({ rows, command, rowCount }: Answer<Row>): QueryResult<Row> {
  if (command === undefined || !changing.has(command)) return { rows }
  return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
}
