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
import { commit } from '../commit.ts'
import type { Lane, PriorityMutex } from '../priorityMutex.ts'
import type { EmbeddedEngine, EngineResult } from './engine.ts'

interface EmbeddedLane {
  engine: EmbeddedEngine
  /** Shared by all lanes: there is one connection. */
  mutex: Pick<PriorityMutex, 'acquire'>
  lane: Lane
  onRun?: OnRun | undefined
}

/** Called after each statement, with the time that it took without the time that it waited. */
export type OnRun = (statement: string, tookMs: number) => void

/** A Kysely dialect for one lane of the engine's only connection: each query or transaction holds the mutex. */
export class EmbeddedDialect implements Dialect {
  readonly #lane: EmbeddedLane

  constructor(lane: EmbeddedLane) {
    this.#lane = lane
  }

  createDriver() {
    return new EmbeddedDriver(this.#lane)
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
  readonly #lane: EmbeddedLane
  readonly #releases = new WeakMap<DatabaseConnection, () => void>()

  constructor(lane: EmbeddedLane) {
    this.#lane = lane
  }

  async init() {}

  async acquireConnection() {
    const { engine, mutex, lane, onRun } = this.#lane
    const release = await mutex.acquire(lane)
    const connection = new EmbeddedConnection(engine, onRun)
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

  /** The database closes the engine itself, once nothing is queued in any lane. */
  async destroy() {}
}

class EmbeddedConnection implements DatabaseConnection {
  readonly #engine: EmbeddedEngine
  readonly #generation: number

  readonly #onRun: OnRun

  constructor(engine: EmbeddedEngine, onRun: OnRun = () => undefined) {
    this.#engine = engine
    this.#onRun = onRun
    this.#generation = engine.generation
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#engine.generation !== this.#generation) throw new DatabaseRestarted()
    const startedAt = performance.now()
    const result = await this.#engine.run(query.sql, query.parameters)
    this.#onRun(query.sql, performance.now() - startedAt)
    return resultOf(result)
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Queries are not streamed: read pages with limit instead.')
  }
}

/**
 * The engine restarted during a transaction: its remaining statements must not be stored without the earlier
 * ones. SQLSTATE 57P01.
 */
class DatabaseRestarted extends Error {
  readonly code = '57P01'

  constructor() {
    super('The embedded database restarted during this transaction.')
  }
}

const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

function resultOf<Row>({ rows, command, rowCount }: EngineResult): QueryResult<Row> {
  const known = rows as Row[]
  if (command === undefined || !changing.has(command)) return { rows: known }
  return { rows: known, numAffectedRows: BigInt(rowCount ?? 0) }
}
