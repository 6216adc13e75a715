import { PGlite } from '@electric-sql/pglite'
import type { Database } from '#server/db/database.ts'
import { embeddedDatabase } from '#server/db/engines/embedded.ts'
import { embeddedOptions } from '#server/db/engines/openPglite.ts'
import { PreparedStatements } from '#server/db/engines/preparedStatements.ts'
import { embeddedTemplate } from './databaseTemplate.ts'
import {
  deletionOf,
  dropDays,
  functionNames,
  resetSession,
  restartSequences,
  schemaChecksum,
  tablesWithRows,
} from './emptying.ts'
import { pgliteEngine } from './pgliteEngine.ts'

/** Pool of emptied databases: starting one takes half a second, emptying one milliseconds. */
const idle: Pooled[] = []
/** Pool of databases without tables. */
const idleWithoutTables: PGlite[] = []

interface Pooled {
  readonly pglite: PGlite
  /** Prepared for all tests that use this database, until it is truncated. */
  statements: PreparedStatements
  /** The schema, and its functions, that migrations created. */
  readonly schema: string
  readonly functions: readonly string[]
  readonly tables: readonly string[]
  /** How often it was emptied by `delete`, which leaves the space of deleted rows in use. */
  deletions: number
}

/** Deletions before a truncation, which takes 50 ms instead of 5 and frees the space of deleted rows. */
const deletionsBeforeTruncation = 30

/** Opens a migrated, empty database in memory for one test; closing it returns it to the pool. */
export async function openInMemory(): Promise<Database> {
  const pooled = idle.pop() ?? (await start())
  async function close() {
    await requireEnded(pooled)
    if (await restored(pooled)) {
      await empty(pooled)
      idle.push(pooled)
    } else {
      await pooled.pglite.close()
    }
  }
  return embeddedDatabase(pgliteEngine(pooled.pglite, close, pooled.statements))
}

/** Opens a database in memory without tables; closing it returns it to its pool. */
export async function openWithoutTables(): Promise<Database> {
  const pglite = idleWithoutTables.pop() ?? (await create())
  await pglite.exec('drop schema public cascade; create schema public')
  await pglite.exec('discard all')
  async function close() {
    idleWithoutTables.push(pglite)
  }
  return embeddedDatabase(pgliteEngine(pglite, close))
}

async function start(): Promise<Pooled> {
  const pglite = await create()
  const statements = prepareAll(pglite)
  return {
    pglite,
    statements,
    schema: await schemaOf(statements),
    functions: await namesOf(statements, functionNames),
    tables: await namesOf(statements, tablesWithRows),
    deletions: 0,
  }
}

async function create(): Promise<PGlite> {
  return PGlite.create({ ...embeddedOptions, loadDataDir: await embeddedTemplate() })
}

/**
 * Prepares every statement: parsing and planning for each run would take a third of the tests' processor time. Tests on
 * PostgreSQL and of whole processes prepare only marked statements, as in operation.
 */
function prepareAll(pglite: PGlite) {
  return new PreparedStatements(pglite, () => true)
}

async function schemaOf(statements: PreparedStatements): Promise<string> {
  return String(await namesOf(statements, schemaChecksum))
}

async function requireEnded({ statements }: Pooled) {
  const query = 'select pg_current_xact_id_if_assigned() is null as ended'
  const { rows } = await statements.run(query, [])
  if (!rows[0]?.ended) throw new Error('The test left a transaction open.')
}

/** Drops new functions, with their triggers, and days. Returns false if the test also changed the rest of the schema. */
async function restored({ pglite, statements, ...migrated }: Pooled): Promise<boolean> {
  const all = await namesOf(statements, functionNames)
  const added = all.filter(name => !migrated.functions.includes(name))
  // A slow trigger made later tests take minutes.
  if (added.length > 0) await pglite.exec(`drop routine ${added.join(', ')} cascade`)
  await pglite.exec(resetSession)
  await statements.run(dropDays, [])
  return (await schemaOf(statements)) === migrated.schema
}

async function empty(pooled: Pooled) {
  const { pglite, statements, tables } = pooled
  if (pooled.deletions < deletionsBeforeTruncation) {
    pooled.deletions += 1
    await statements.run(deletionOf(tables), [])
    await statements.run(deletionOf(tables), [])
    await statements.run(restartSequences, [])
  } else {
    pooled.deletions = 0
    await pglite.exec(`truncate ${tables.join(', ')} restart identity cascade`)
    await pglite.exec('discard all')
    pooled.statements = prepareAll(pglite)
  }
}

async function namesOf(statements: PreparedStatements, query: string): Promise<string[]> {
  const { rows } = await statements.run(query, [])
  return rows.map(({ name }) => String(name))
}
