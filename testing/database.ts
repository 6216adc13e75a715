import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import type { Database } from '#server/db/database.ts'
import { embeddedOptions } from '#server/db/embedded.ts'
import { type DatabaseSettings, openDatabase } from '#server/db/open.ts'
import { embeddedTemplate, postgresTemplate } from './databaseTemplate.ts'
import { openInMemory } from './memoryDatabase.ts'

/** A migrated, empty database for one test. Disposing of it removes all traces. */
export interface TestDatabase extends AsyncDisposable {
  readonly open: Database
  /**
   * How another process opens the same database: on PostgreSQL by `databaseUrl`. The embedded one
   * lives in memory only: a server in the test's own process is handed `open`.
   */
  readonly settings: DatabaseSettings
}

/** A migrated, empty database that nobody has opened yet, for servers that open it themselves. */
export interface TestDatabaseSettings extends AsyncDisposable {
  readonly settings: DatabaseSettings
}

/** On PostgreSQL when TEST_DATABASE_URL names a server (as one who may create databases), else embedded. */
export async function testDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env.TEST_DATABASE_URL
  if (serverUrl) return openOnServer(serverUrl)
  const directory = await temporaryDirectory()
  const open = await openInMemory()
  return {
    open,
    settings: directory.settings,
    async [Symbol.asyncDispose]() {
      await open.close()
      await directory[Symbol.asyncDispose]()
    },
  }
}

/** Like testDatabase, but not open; the embedded one lies on disk, as in production. */
export async function testDatabaseSettings(): Promise<TestDatabaseSettings> {
  const serverUrl = process.env.TEST_DATABASE_URL
  if (serverUrl) return databaseOnServer(serverUrl)
  const directory = await temporaryDirectory()
  const pglite = await PGlite.create(path.join(directory.settings.dataDir, 'db'), {
    ...embeddedOptions,
    loadDataDir: await embeddedTemplate(),
  })
  await pglite.close()
  return directory
}

async function openOnServer(serverUrl: string): Promise<TestDatabase> {
  const { settings, [Symbol.asyncDispose]: drop } = await databaseOnServer(serverUrl)
  const open = await openDatabase(settings)
  return {
    open,
    settings,
    async [Symbol.asyncDispose]() {
      await open.close()
      await drop()
    },
  }
}

async function databaseOnServer(serverUrl: string): Promise<TestDatabaseSettings> {
  const template = await postgresTemplate(serverUrl)
  const name = `pitboard_test_${randomBytes(8).toString('hex')}`
  await administer(serverUrl, `create database ${name} template ${template}`)
  const directory = await temporaryDirectory()
  const databaseUrl = new URL(serverUrl)
  databaseUrl.pathname = `/${name}`
  return {
    settings: { ...directory.settings, databaseUrl: databaseUrl.href },
    async [Symbol.asyncDispose]() {
      await administer(serverUrl, `drop database ${name} with (force)`)
      await directory[Symbol.asyncDispose]()
    },
  }
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

async function temporaryDirectory() {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'pitboard-test-'))
  return {
    settings: { dataDir },
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }),
  }
}
