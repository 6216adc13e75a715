import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type BuiltServer, type BuiltServerOptions, startBuiltServer } from './builtServer.ts'
import { quickStart } from './quickStart.ts'

/** The migrated, empty database from which those of the servers are copied. */
const template = 'pitboard_template'

/**
 * Starts the built product for tests that last seconds. With BROWSER_DATABASE_URL it uses a database of its own on
 * that PostgreSQL server, which needs a third of the processor time of the embedded database.
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

/** Creates the template on a PostgreSQL server that has none, by starting the product once. */
export async function prepareForQuickServers(url: string) {
  await administer(url, `create database ${template}`)
  const server = await startBuiltServer({ settings: { DATABASE_URL: databaseAt(url, template) } })
  await server.stop()
}

function databaseAt(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

async function administer(serverUrl: string, statement: string) {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
