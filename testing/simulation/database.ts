import { PGlite } from '@electric-sql/pglite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { commit } from '#server/db/commit.ts'
import type { Database } from '#server/db/database.ts'
import { resultOf } from '#server/db/engines/dialect.ts'
import type { EngineResult } from '#server/db/engines/engine.ts'
import { embeddedOptions } from '#server/db/engines/openPglite.ts'
import { PreparedStatements } from '#server/db/engines/preparedStatements.ts'
import { type Lane, PriorityMutex } from '#server/db/priorityMutex.ts'
import type { Tables } from '#server/db/schema/tables.ts'
import { embeddedTemplate } from '../database/databaseTemplate.ts'
import { deletionOf } from '../database/emptying.ts'
import type { Random } from './random.ts'
import type { VirtualTime } from './virtualTime.ts'

/** One database for all schedules of this process: starting it takes a second, emptying it milliseconds. */
export class DatabaseFile {
  readonly pglite: PGlite
  readonly statements: PreparedStatements
  #deletion: string | undefined

  private constructor(pglite: PGlite) {
    this.pglite = pglite
    // Planning takes half of a schedule's time.
    this.statements = new PreparedStatements(pglite, () => true)
  }

  static async create(): Promise<DatabaseFile> {
    const options = { ...embeddedOptions, loadDataDir: await embeddedTemplate() }
    const pglite = await PGlite.create(options)
    // Generic plans are made once per statement: planning takes a fifth of a schedule's time.
    await pglite.exec('set plan_cache_mode = force_generic_plan; set synchronous_commit = off')
    return new DatabaseFile(pglite)
  }

  /**
   * Deletes all rows except the server keys. (`truncate` creates new files for each table and takes 100 times
   * longer.)
   */
  async empty() {
    // A cancelled schedule may have left a transaction open.
    await this.statements.run('rollback', [])
    this.#deletion ??= await this.#makeDeletion()
    await this.statements.run(this.#deletion, [])
  }

  async #makeDeletion(): Promise<string> {
    const { rows } = await this.pglite.query<{ name: string }>(`
      select quote_ident(tablename) as name from pg_tables where schemaname = 'public'
        and tablename not like 'kysely_migration%' and tablename <> 'server_keys' and tablename not like 'positions\\_%'`)
    return deletionOf(rows.map(({ name }) => name))
  }

  async vacuum() {
    await this.pglite.exec('vacuum')
  }
}

/** How the database fails during an outage: at once, or by a timeout. */
export type Outage = 'refusing' | 'hanging'

/** Timeout of statements on a hanging server. */
const hangTimeoutMs = 4000

class ConnectionLost extends Error {
  readonly code = '08006'

  constructor() {
    super('Connection terminated by the simulation')
  }
}

/** The database as seen by the nodes: statements take virtual time, and there may be outages. */
export class SimulatedDatabase {
  readonly #file: DatabaseFile
  readonly #time: VirtualTime
  readonly #random: Random
  // The mutex uses real time, so its timeout is disabled.
  readonly #mutex = new PriorityMutex(2 ** 31 - 1)
  readonly #nodes = new Set<NodeDatabase>()
  #outage: Outage | null = null
  #recoveredMs = Number.NEGATIVE_INFINITY

  constructor(file: DatabaseFile, time: VirtualTime, random: Random) {
    this.#file = file
    this.#time = time
    this.#random = random
  }

  /** Opens the connections of a node. */
  connect(): NodeDatabase {
    const node = new NodeDatabase({
      file: this.#file,
      time: this.#time,
      mutex: this.#mutex,
      outage: () => this.#outage,
      latencyMs: () =>
        this.#random.chance(0.02) ? this.#random.between(5, 60) : this.#random.between(0.1, 1.5),
    })
    this.#nodes.add(node)
    return node
  }

  fail(outage: Outage) {
    this.#outage = outage
    for (const node of this.#nodes) node.loseConnections()
  }

  recover() {
    if (this.#outage) this.#recoveredMs = this.#time.now
    this.#outage = null
  }

  /** When the last outage ended; infinity during one. */
  get reachableSinceMs(): number {
    return this.#outage ? Number.POSITIVE_INFINITY : this.#recoveredMs
  }

  /** Runs a statement of the simulation itself, even during an outage. */
  async run<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    const release = await this.#time.runUntilSettled(this.#mutex.acquire('command'))
    try {
      const { rows } = await this.#time.work(() => this.#file.statements.run(sql, parameters))
      return rows as Row[]
    } finally {
      release()
    }
  }
}

interface NodeSettings {
  file: DatabaseFile
  time: VirtualTime
  mutex: PriorityMutex
  outage(): Outage | null
  latencyMs(): number
}

/** One node's access to the database. */
export class NodeDatabase {
  readonly database: Database
  /** While the process starts, statements take no virtual time. */
  isBooting = false
  readonly #settings: NodeSettings
  readonly #connections = new Set<SimulatedConnection>()
  #killed = false

  constructor(settings: NodeSettings) {
    this.#settings = settings
    const open = (lane: Lane) => new Kysely<Tables>({ dialect: this.#dialect(lane) })
    const db = open('ordinary')
    this.database = {
      db,
      commandDb: open('command'),
      readDb: db,
      engine: 'embedded',
      failure: new Promise(() => {}),
      ping: async () => void (await db.selectFrom('server_keys').select('name').limit(1).execute()),
      withoutStatementTimeout: work => work(),
      close: async () => {},
    }
  }

  loseConnections() {
    for (const connection of this.#connections) connection.lose()
  }

  /** Cuts off a killed process: nothing it still does reaches the database. */
  kill() {
    this.#killed = true
    this.loseConnections()
  }

  #dialect(lane: Lane) {
    return {
      createDriver: () => this.#driver(lane),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    }
  }

  #driver(lane: Lane): Driver {
    const connections = this.#connections
    const run = async (connection: DatabaseConnection, text: string) =>
      void (await connection.executeQuery(CompiledQuery.raw(text)))
    return {
      init: async () => {},
      acquireConnection: async () => {
        await this.#refuseIfAway()
        const turn = this.#settings.mutex.acquire(lane)
        // A transaction of another node may hold the mutex for a while.
        const release = await (this.isBooting ? this.#settings.time.pauseWork(turn) : turn)
        const connection = new SimulatedConnection(
          this.isBooting ? { ...this.#settings, latencyMs: () => 0 } : this.#settings,
          release,
        )
        connections.add(connection)
        // The outage may have begun while this waited.
        if (this.#killed || this.#settings.outage()) connection.lose()
        return connection
      },
      beginTransaction: connection => run(connection, 'start transaction'),
      commitTransaction: connection => run(connection, commit),
      rollbackTransaction: connection => run(connection, 'rollback'),
      async releaseConnection(connection) {
        if (!(connection instanceof SimulatedConnection)) return
        connections.delete(connection)
        await connection.end()
      },
      destroy: async () => {},
    }
  }

  async #refuseIfAway() {
    if (this.#killed) throw new ConnectionLost()
    const outage = this.#settings.outage()
    if (!outage) return
    if (outage === 'hanging' && !this.isBooting) await this.#settings.time.sleep(hangTimeoutMs)
    if (this.#settings.outage()) throw new ConnectionLost()
  }
}

class SimulatedConnection implements DatabaseConnection {
  #inTransaction = false
  readonly #settings: NodeSettings
  readonly #release: () => void
  #isLost = false
  #onLoss: (() => void) | null = null

  constructor(settings: NodeSettings, release: () => void) {
    this.#settings = settings
    this.#release = release
  }

  lose() {
    this.#isLost = true
    this.#onLoss?.()
  }

  /** Rolls back the open transaction of a lost connection, like PostgreSQL. */
  async end() {
    if (this.#inTransaction) {
      const { time, file } = this.#settings
      await time.work(() => file.statements.run('rollback', []))
    }
    this.#inTransaction = false
    this.#release()
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { time, latencyMs } = this.#settings
    await this.#wait(latencyMs() / 2)
    const result = await time.work(() => this.#run<Row>(query))
    // The statement was executed, but its result may still be lost.
    await this.#wait(latencyMs() / 2)
    return result
  }

  async #run<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { statements } = this.#settings.file
    if (sql === 'start transaction') this.#inTransaction = true
    const parts = sql === commit ? commit.split('; ') : [sql]
    let result: EngineResult = { rows: [] }
    for (const part of parts) result = await statements.run(part, parameters)
    if (sql === commit || sql === 'rollback') this.#inTransaction = false
    return resultOf(result)
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Queries are not streamed.')
  }

  async #wait(ms: number) {
    if (ms > 0 && !this.#isLost) {
      await new Promise<void>(resolve => {
        this.#onLoss = resolve
        this.#settings.time.after(ms, resolve)
      })
    }
    if (this.#isLost) throw new ConnectionLost()
  }
}
