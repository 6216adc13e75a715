import { PGlite } from '@electric-sql/pglite'
import { Kysely } from 'kysely'
import { commit } from '#server/db/commit.ts'
import type { Database } from '#server/db/database.ts'
import { EmbeddedDialect } from '#server/db/engines/dialect.ts'
import type { EmbeddedEngine, EngineResult } from '#server/db/engines/engine.ts'
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
  readonly #statements: PreparedStatements
  #deletion: string | undefined
  #inTransaction = false

  private constructor(pglite: PGlite) {
    this.pglite = pglite
    // Planning takes half of a schedule's time.
    this.#statements = new PreparedStatements(pglite, () => true)
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
    await this.endTransaction()
    this.#deletion ??= await this.#makeDeletion()
    await this.run(this.#deletion, [])
  }

  async run(statement: string, parameters: readonly unknown[]): Promise<EngineResult> {
    if (statement === 'start transaction') this.#inTransaction = true
    let result: EngineResult = { rows: [] }
    for (const part of statement === commit ? commit.split('; ') : [statement])
      result = await this.#statements.run(part, parameters)
    if (statement === commit || statement === 'rollback') this.#inTransaction = false
    return result
  }

  /** Rolls back the open transaction of a lost connection, like PostgreSQL. */
  async endTransaction() {
    if (this.#inTransaction) await this.run('rollback', [])
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
      const { rows } = await this.#time.work(async () => {
        await this.#file.endTransaction()
        return this.#file.run(sql, parameters)
      })
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

/** One node's access to the database: all of its lanes share one connection at a time. */
export class NodeDatabase implements EmbeddedEngine {
  readonly database: Database
  /** While the process starts, statements take no virtual time. */
  isBooting = false
  generation = 0
  readonly failure = new Promise<Error>(() => {})
  readonly #settings: NodeSettings
  #onLoss = () => {}
  #killed = false

  constructor(settings: NodeSettings) {
    this.#settings = settings
    const mutex = { acquire: (lane?: Lane) => this.#acquire(lane) }
    const open = (lane: Lane) =>
      new Kysely<Tables>({ dialect: new EmbeddedDialect({ engine: this, mutex, lane }) })
    const db = open('ordinary')
    this.database = {
      db,
      commandDb: open('command'),
      readDb: db,
      engine: 'embedded',
      failure: this.failure,
      ping: async () => void (await db.selectFrom('server_keys').select('name').limit(1).execute()),
      withoutStatementTimeout: work => work(),
      close: this.close,
    }
  }

  async close() {}

  loseConnections() {
    this.generation += 1
    this.#onLoss()
  }

  /** Cuts off a killed process: nothing it still does reaches the database. */
  kill() {
    this.#killed = true
    this.loseConnections()
  }

  async run(statement: string, parameters: readonly unknown[]): Promise<EngineResult> {
    if (this.#killed || this.#settings.outage()) throw new ConnectionLost()
    const { time, file, latencyMs } = this.#settings
    const { generation } = this
    const halfMs = () => (this.isBooting ? 0 : latencyMs() / 2)
    await this.#wait(halfMs(), generation)
    const result = await time.work(() => file.run(statement, parameters))
    // The statement was executed, but its result may still be lost.
    await this.#wait(halfMs(), generation)
    return result
  }

  async #acquire(lane?: Lane) {
    if (this.#killed) throw new ConnectionLost()
    const { time, file, mutex, outage } = this.#settings
    if (outage() === 'hanging' && !this.isBooting) await time.sleep(hangTimeoutMs)
    if (outage()) throw new ConnectionLost()
    const turn = mutex.acquire(lane)
    // A transaction of another node may hold the mutex for a while.
    const release = await (this.isBooting ? time.pauseWork(turn) : turn)
    await time.work(() => file.endTransaction())
    return release
  }

  async #wait(ms: number, generation: number) {
    if (ms > 0 && this.generation === generation)
      await new Promise<void>(resolve => {
        this.#onLoss = resolve
        this.#settings.time.after(ms, resolve)
      })
    if (this.generation !== generation) throw new ConnectionLost()
  }
}
