import { PGlite } from '@electric-sql/pglite'
import type { Database } from '#server/db/database.ts'
import { embeddedDatabase } from '#server/db/embedded/embedded.ts'
import { embeddedOptions } from '#server/db/embedded/openPglite.ts'
import { pgliteEngine } from '#server/db/embedded/pgliteEngine.ts'
import { PreparedStatements } from '#server/db/embedded/preparedStatements.ts'
import { embeddedTemplate } from './databaseTemplate.ts'

/** Pool of emptied databases: starting one takes half a second, emptying one milliseconds. */
const idle: Pooled[] = []

interface Pooled {
  readonly pglite: PGlite
  /** The triggers that migrations created. */
  readonly triggers: readonly string[]
  /** How often it was emptied by `delete`, which leaves the space of deleted rows in use. */
  deletions: number
}

/** Deletions before a truncation, which takes 50 ms instead of 5 and frees the space of deleted rows. */
const deletionsBeforeTruncation = 30

/** Opens a migrated, empty database in memory for one test; closing it returns it to the pool. */
export async function openInMemory(): Promise<Database> {
  const pooled = idle.pop() ?? (await start())
  const { pglite, triggers } = pooled
  async function close() {
    // A trigger of this test would run in later ones: a slow one made them take minutes.
    if (String(await triggersOf(pglite)) !== String(triggers)) return pglite.close()
    await empty(pooled)
    idle.push(pooled)
  }
  // Prepares every statement: parsing and planning for each run would take a third of the tests' processor time. Tests
  // on PostgreSQL and of whole processes prepare only marked statements, as in operation.
  const statements = new PreparedStatements(pglite, () => true)
  return embeddedDatabase(pgliteEngine(pglite, close, statements))
}

async function start(): Promise<Pooled> {
  const pglite = await PGlite.create({ ...embeddedOptions, loadDataDir: await embeddedTemplate() })
  return { pglite, triggers: await triggersOf(pglite), deletions: 0 }
}

function triggersOf(pglite: PGlite) {
  return namesOf(
    pglite,
    `select tgname as name from pg_trigger where not tgisinternal order by tgname`,
  )
}

async function empty(pooled: Pooled) {
  const { pglite } = pooled
  await pglite.exec(`select drop_positions_before('9999-12-31')`)
  const tables = await namesOf(
    pglite,
    `select tablename as name from pg_tables
      where schemaname = 'public' and tablename not like 'kysely_migration%'`,
  )
  if (pooled.deletions < deletionsBeforeTruncation) {
    pooled.deletions += 1
    await deleteRows(pglite, tables)
  } else {
    pooled.deletions = 0
    await pglite.exec(`truncate ${tables.join(', ')} restart identity cascade`)
  }
  await pglite.exec('discard all')
}

async function deleteRows(pglite: PGlite, tables: string[]) {
  const sequences = await namesOf(
    pglite,
    `select sequencename as name from pg_sequences where schemaname = 'public' and last_value is not null`,
  )
  await pglite.exec(
    [
      // Neither the order of foreign keys nor triggers matter.
      'set session_replication_role = replica',
      ...tables.map(table => `delete from ${table}`),
      ...sequences.map(sequence => `alter sequence ${sequence} restart`),
    ].join(';'),
  )
}

async function namesOf(pglite: PGlite, query: string): Promise<string[]> {
  const { rows } = await pglite.query<{ name: string }>(
    `select quote_ident(name) as name from (${query}) as found`,
  )
  return rows.map(({ name }) => name)
}
