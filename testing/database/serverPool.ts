import { once } from 'node:events'
import type { PostgresPool } from 'kysely'
import pg from 'pg'
import { type Database, readLimitMs } from '#server/db/database.ts'
import { createPool, openPostgres } from '#server/db/engines/postgres.ts'
import { patience } from '../patience.ts'
import { administer, databaseAt, newName } from './databaseServer.ts'
import { postgresTemplate } from './databaseTemplate.ts'
import {
  deletionOf,
  dropDays,
  resetSession,
  restartSequences,
  schemaChecksum,
  tablesWithRows,
} from './emptying.ts'

/** Pool of emptied databases: creating, connecting to and dropping one takes 50 ms, emptying it 2 ms. */
const idle: Pooled[] = []

/** Connections of each size of pool that stay open for the next test. */
const keptConnections = 4

interface Pooled {
  readonly name: string
  readonly url: string
  /** The test's pools of connections, by their size. */
  readonly connections: Map<number, pg.Pool>
  /** The connection that empties the database. */
  readonly client: pg.Client
  readonly deletion: string
  /** The schema that migrations created. */
  readonly schema: string
}

/** Opens a migrated, empty database on a PostgreSQL server for one test; closing it returns it to the pool. */
export async function openOnServer(serverUrl: string): Promise<Database> {
  const pooled = idle.pop() ?? (await create(serverUrl))
  const lend = (...[settings, onIdleError]: Parameters<typeof createPool>) => {
    const { max = 0 } = settings
    const pool = pooled.connections.get(max) ?? createPool(settings, onIdleError)
    pooled.connections.set(max, pool)
    return lent(pool)
  }
  const onWarning = (error: unknown) => process.emitWarning(String(error))
  const open = await openPostgres({
    databaseUrl: pooled.url,
    onWarning,
    openPool: lend,
    statementLimitMs: readLimitMs * patience,
  })
  let closing: Promise<void> | undefined
  async function close() {
    await open.close()
    let isUsable = false
    try {
      isUsable = await emptied(pooled)
    } finally {
      if (isUsable) idle.push(pooled)
      else await drop(serverUrl, pooled)
    }
  }
  return { ...open, close: () => (closing ??= close()) }
}

/** Lends connections to one test. Ending the pool waits for those in use, and leaves them open. */
function lent(pool: pg.Pool): PostgresPool {
  return {
    connect: () => pool.connect(),
    async end() {
      while (pool.idleCount < pool.totalCount) await once(pool, 'release')
    },
  }
}

async function create(serverUrl: string): Promise<Pooled> {
  const name = newName()
  await administer(
    serverUrl,
    `create database ${name} template ${await postgresTemplate(serverUrl)}`,
  )
  const url = databaseAt(serverUrl, name)
  const client = new pg.Client({ connectionString: url })
  // At the end of the run it is closed by dropping the database.
  client.on('error', () => undefined)
  await client.connect()
  return {
    name,
    url,
    connections: new Map(),
    client,
    deletion: deletionOf(await run(client, 'tables', tablesWithRows)),
    schema: await schemaOf(client),
  }
}

async function drop(serverUrl: string, { name, client, connections }: Pooled) {
  await Promise.all([client, ...connections.values()].map(each => each.end()))
  await administer(serverUrl, `drop database ${name} with (force)`)
}

/** Empties the database. Returns false if the test changed its schema. */
async function emptied({ client, connections, deletion, schema }: Pooled): Promise<boolean> {
  for (const pool of connections.values()) await resetSessions(pool)
  await run(client, 'days', dropDays)
  if ((await schemaOf(client)) !== schema) return false
  await run(client, 'rows', deletion)
  await run(client, 'rows', deletion)
  await run(client, 'sequences', restartSequences)
  return true
}

async function resetSessions(pool: pg.Pool) {
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
  const isOpen = clients.some(client => client.getTransactionStatus() !== 'I')
  if (!isOpen) await Promise.all(clients.map(client => client.query(resetSession)))
  clients.forEach((client, index) => client.release(isOpen || index >= keptConnections))
  if (isOpen) throw new Error('The test left a transaction open.')
}

async function schemaOf(client: pg.Client): Promise<string> {
  return String(await run(client, 'schema', schemaChecksum))
}

/** Runs a statement, prepared under this name, and returns the column `name` of its rows. */
async function run(client: pg.Client, name: string, text: string): Promise<string[]> {
  const { rows } = await client.query<{ name?: string }>({ name, text })
  return rows.map(row => String(row.name))
}
