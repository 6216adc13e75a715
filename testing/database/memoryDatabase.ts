import { PGlite } from '@electric-sql/pglite'
import type { Database } from '#server/db/database.ts'
import { embeddedDatabase } from '#server/db/embedded/embedded.ts'
import { embeddedOptions } from '#server/db/embedded/openPglite.ts'
import { pgliteEngine } from '#server/db/embedded/pgliteEngine.ts'
import { PreparedStatements } from '#server/db/embedded/preparedStatements.ts'
import { embeddedTemplate } from './databaseTemplate.ts'

/** Pool of emptied databases: starting one takes half a second, emptying one milliseconds. */
const idle: Pooled[] = []
/** Pool of databases without tables. */
const idleWithoutTables: PGlite[] = []

interface Pooled {
  readonly pglite: PGlite
  /** Prepared for all tests that use this database, until it is truncated. */
  statements: PreparedStatements
  /** The triggers and functions that migrations created. */
  readonly triggers: readonly string[]
  readonly functions: readonly string[]
  /** How often it was emptied by `delete`, which leaves the space of deleted rows in use. */
  deletions: number
}

/** Deletions before a truncation, which takes 50 ms instead of 5 and frees the space of deleted rows. */
const deletionsBeforeTruncation = 30

/** Opens a migrated, empty database in memory for one test; closing it returns it to the pool. */
export async function openInMemory(): Promise<Database> {
  const pooled = idle.pop() ?? (await start())
  const { pglite, triggers, functions } = pooled
  async function close() {
    const { statements } = pooled
    const added = (await functionsOf(statements)).filter(name => !functions.includes(name))
    // Also drops the triggers that call them: a slow one made later tests take minutes.
    if (added.length > 0) await pglite.exec(`drop routine ${added.join(', ')} cascade`)
    if (String(await triggersOf(statements)) !== String(triggers)) return pglite.close()
    await empty(pooled)
    idle.push(pooled)
  }
  return embeddedDatabase(pgliteEngine(pglite, close, pooled.statements))
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
    triggers: await triggersOf(statements),
    functions: await functionsOf(statements),
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

function functionsOf(statements: PreparedStatements) {
  return namesOf(
    statements,
    `select oid::regprocedure::text as name from pg_proc
      where pronamespace = 'public'::regnamespace order by name`,
  )
}

function triggersOf(statements: PreparedStatements) {
  return namesOf(
    statements,
    `select tgname::text as name from pg_trigger where not tgisinternal order by tgname`,
  )
}

async function empty(pooled: Pooled) {
  const { pglite, statements } = pooled
  const { rows } = await statements.run(
    'select pg_current_xact_id_if_assigned() is null as ended',
    [],
  )
  if (!rows[0]?.ended) throw new Error('The test left a transaction open.')
  await pglite.exec(`select drop_positions_before('9999-12-31')`)
  const tables = await namesOf(
    statements,
    `select quote_ident(tablename) as name from pg_tables
      where schemaname = 'public' and tablename not like 'kysely_migration%'`,
  )
  if (pooled.deletions < deletionsBeforeTruncation) {
    pooled.deletions += 1
    await deleteRows(pooled, tables)
    // Like `discard all`, but keeps prepared statements and plans.
    await pglite.exec(
      'close all; reset all; unlisten *; discard temp; discard sequences; select pg_advisory_unlock_all()',
    )
  } else {
    pooled.deletions = 0
    await pglite.exec(`truncate ${tables.join(', ')} restart identity cascade`)
    await pglite.exec('discard all')
    pooled.statements = prepareAll(pglite)
  }
}

async function deleteRows({ pglite, statements }: Pooled, tables: string[]) {
  // One statement, so that no foreign key is checked in between. Disabling triggers would invalidate all plans.
  const deletions = tables.map((table, index) => `d${index} as (delete from ${table})`)
  const deletion = `with ${deletions.join(', ')} select`
  await statements.run(deletion, [])
  // Deletes the names of files that a trigger stored during the first run.
  await statements.run(deletion, [])
  const sequences = await namesOf(
    statements,
    `select quote_ident(sequencename) as name from pg_sequences where schemaname = 'public' and last_value is not null`,
  )
  if (sequences.length > 0)
    await pglite.exec(sequences.map(name => `alter sequence ${name} restart`).join(';'))
}

async function namesOf(statements: PreparedStatements, query: string): Promise<string[]> {
  const { rows } = await statements.run(query, [])
  return rows.map(({ name }) => String(name))
}
