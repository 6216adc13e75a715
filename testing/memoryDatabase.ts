import { PGlite } from '@electric-sql/pglite'
import type { Database } from '#server/db/database.ts'
import { embeddedDatabase } from '#server/db/embedded/embedded.ts'
import { embeddedOptions } from '#server/db/embedded/openPglite.ts'
import { pgliteEngine } from '#server/db/embedded/pgliteEngine.ts'
import { embeddedTemplate } from './databaseTemplate.ts'

/** Emptied and ready for the next test: starting one takes a second, emptying it milliseconds. */
const idle: PGlite[] = []

/** A migrated, empty database in memory, for one test of this process at a time. */
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
