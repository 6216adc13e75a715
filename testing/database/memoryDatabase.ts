import { PGlite } from '@electric-sql/pglite'
import type { Database } from '#server/db/database.ts'
import { embeddedDatabase } from '#server/db/embedded/embedded.ts'
import { embeddedOptions } from '#server/db/embedded/openPglite.ts'
import { pgliteEngine } from '#server/db/embedded/pgliteEngine.ts'
import { embeddedTemplate } from './databaseTemplate.ts'

/** Pool of emptied databases: starting one takes a second, emptying one milliseconds. */
const idle: PGlite[] = []

/** Opens a migrated, empty database in memory for one test; closing it returns it to the pool. */
export async function openInMemory(): Promise<Database> {
  const pglite = idle.pop() ?? (await start())
  async function close() {
    await empty(pglite)
    idle.push(pglite)
  }
  return embeddedDatabase(pgliteEngine(pglite, close))
}

async function start(): Promise<PGlite> {
  return PGlite.create({ ...embeddedOptions, loadDataDir: await embeddedTemplate() })
}

async function empty(pglite: PGlite) {
  await pglite.exec(`select drop_positions_before('9999-12-31')`)
  const { rows } = await pglite.query<{ tables: string }>(`
    select string_agg(quote_ident(tablename), ', ') as tables from pg_tables
    where schemaname = 'public' and tablename not like 'kysely_migration%'`)
  await pglite.exec(`truncate ${rows[0]?.tables} restart identity cascade`)
  await pglite.exec('discard all')
}
