import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Kysely, type Migration, Migrator, sql } from 'kysely'
import { DatabaseRefused } from './database.ts'
import type { Tables } from './schema/tables.ts'

/** In a folder of this name beside this file in the sources, and beside the bundle it is built into. */
const ourMigrations = new URL('./schema/migrations/', import.meta.url)

/**
 * Migrates the database to the latest schema: runs each .sql file once, in the order of their names.
 * Processes that start together wait for each other. Throws DatabaseRefused if a newer program has already migrated it
 * further, or if a build from before the first file made it.
 */
export async function migrate(db: Kysely<Tables>, folder: URL = ourMigrations): Promise<void> {
  const migrations = await readMigrations(folder)
  await refuseOthers(db, migrations)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (!error) return
  await refuseOthers(db, migrations)
  throw error
}

async function readMigrations(folder: URL): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
  if (files.length === 0) throw new Error(`There are no migrations in ${fileURLToPath(folder)}.`)
  const entries = files.map(async name => {
    const statements = await readFile(new URL(name, folder), 'utf8')
    const migration: Migration = { up: db => run(db, statements) }
    return [name.slice(0, -'.sql'.length), migration] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Without parameters both engines accept several statements in one query. */
async function run(db: Kysely<unknown>, statements: string) {
  await sql.raw(statements).execute(db)
}

async function refuseOthers(db: Kysely<Tables>, migrations: Record<string, Migration>) {
  const applied = await appliedNames(db)
  const unknown = applied.filter(name => !(name in migrations))
  if (unknown.length === 0) return
  const [first = ''] = Object.keys(migrations)
  throw new DatabaseRefused(
    applied.includes(first)
      ? `The database is newer than this program: it has ${unknown.join(', ')}. Start the version of Pitboard that made it, or a newer one.`
      : 'The database is from a build of Pitboard before 1.0.0, which this version cannot read. Use it with that build, or set DATA_DIR or DATABASE_URL to an empty database for this one.',
  )
}

async function appliedNames(db: Kysely<Tables>): Promise<string[]> {
  const table = await sql<{ there: boolean }>`
    select to_regclass('kysely_migration') is not null as there`.execute(db)
  if (!table.rows[0]?.there) return []
  const applied = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(db)
  return applied.rows.map(row => row.name)
}
