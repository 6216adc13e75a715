import { randomBytes } from 'node:crypto'
import { startPostgres } from '../scripts/environment/postgres.mjs'
import { type BuiltServer, type BuiltServerOptions, startBuiltServer } from './builtServer.ts'
import { administer, databaseAt } from './database/databaseServer.ts'
import { quickStart } from './quickStart.ts'

/** The migrated, empty database that is copied for each server. */
const template = 'pitboard_template'

/**
 * Starts the built product for tests that last seconds. With BROWSER_DATABASE_URL it gets a database of its own on that
 * PostgreSQL server, which needs a third of the processor time of the embedded database.
 */
export async function startQuickServer({
  settings = {},
}: Pick<BuiltServerOptions, 'settings'> = {}): Promise<BuiltServer> {
  const url = process.env.BROWSER_DATABASE_URL
  if (!url) return startBuiltServer({ nodeOptions: quickStart, settings })
  const name = `pitboard_${randomBytes(8).toString('hex')}`
  await administer(url, `create database ${name} template ${template}`)
  const server = await startBuiltServer({
    nodeOptions: quickStart,
    settings: { ...settings, DATABASE_URL: databaseAt(url, name) },
  })
  return {
    ...server,
    async stop() {
      await server.stop()
      await administer(url, `drop database ${name} with (force)`)
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
