import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { startPostgres } from '../scripts/environment/postgres.mjs'
import {
  type BuiltServer,
  type BuiltServerOptions,
  migratedDataDir,
  startBuiltServer,
} from './builtServer.ts'
import { administer, databaseAt } from './database/databaseServer.ts'
import { quickStart } from './quickStart.ts'

/** The migrated, empty database that is copied for each server. */
const template = 'pitboard_template'

/**
 * Creates a migrated, empty database for tests that last seconds, which several servers can use one after the other. With
 * BROWSER_DATABASE_URL it is on that PostgreSQL server, which needs a third of the processor time of the embedded one.
 */
export async function createQuickDatabase() {
  const url = process.env.BROWSER_DATABASE_URL
  if (!url) {
    const dataDir = await migratedDataDir()
    return {
      /** Starts the built product with this database. */
      start: (options?: BuiltServerOptions) =>
        startBuiltServer({ ...options, nodeOptions: quickStart, dataDir }),
      remove: () => rm(dataDir, { recursive: true, force: true }),
    }
  }
  const name = `pitboard_${randomBytes(8).toString('hex')}`
  await administer(url, `create database ${name} template ${template}`)
  return {
    start: (options?: BuiltServerOptions) =>
      startBuiltServer({
        ...options,
        nodeOptions: quickStart,
        settings: { ...options?.settings, DATABASE_URL: databaseAt(url, name) },
      }),
    remove: () => administer(url, `drop database ${name} with (force)`),
  }
}

/** Starts the built product with a database of its own. */
export async function startQuickServer(options?: BuiltServerOptions): Promise<BuiltServer> {
  const database = await createQuickDatabase()
  const server = await database.start(options)
  return {
    ...server,
    async stop() {
      await server.stop()
      await database.remove()
    },
  }
}

/**
 * Starts a private PostgreSQL server for quick servers of this process and its children, if it is installed. Returns
 * the function that stops it.
 */
export async function startDatabases(): Promise<(() => Promise<void>) | undefined> {
  const postgres = await startPostgres()
  if (!postgres) return undefined
  await administer(postgres.url, `create database ${template}`)
  const databaseUrl = databaseAt(postgres.url, template)
  // The product migrates it.
  const server = await startBuiltServer({ settings: { DATABASE_URL: databaseUrl } })
  await server.stop()
  process.env.BROWSER_DATABASE_URL = postgres.url
  return () => postgres.stop()
}
