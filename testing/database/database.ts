import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Database } from '#server/db/database.ts'
import { type DatabaseSettings, openDatabase } from '#server/db/engines/open.ts'
import { administer, databaseAt, newName } from './databaseServer.ts'
import { embeddedFolder, postgresTemplate } from './databaseTemplate.ts'
import { openInMemory, openWithoutTables } from './memoryDatabase.ts'
import { openOnServer } from './serverPool.ts'

/** A database for one test, emptied or dropped when disposed. */
export interface TestDatabase extends AsyncDisposable {
  readonly open: Database
  /**
   * Settings with which another process opens the same database. Only a new one on a PostgreSQL server has a
   * `databaseUrl`; a reused or embedded one is open in the test's process alone, so pass `open` instead.
   */
  readonly settings: DatabaseSettings
}

/** A database that is not open, for servers that open it themselves. */
export interface TestDatabaseSettings extends AsyncDisposable {
  readonly settings: DatabaseSettings
}

/**
 * Returns a migrated, empty database, which an earlier test may have used: on PostgreSQL if TEST_DATABASE_URL is set
 * (its user must be allowed to create databases), else embedded and in memory.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const { TEST_DATABASE_URL: serverUrl, TEST_RUN } = process.env
  if (!serverUrl) return reusable(await openInMemory())
  // Databases are kept for the next test only in a run that TEST_RUN names, because its end drops them.
  return TEST_RUN ? reusable(await openOnServer(serverUrl)) : newDatabase()
}

/**
 * Like testDatabase, but not used by an earlier test: its tables contain no dead rows, and its connections have no
 * prepared statements.
 */
export async function newDatabase(): Promise<TestDatabase> {
  return opened(await testDatabaseSettings())
}

/** Creates a database without tables, on the engine of testDatabase. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env.TEST_DATABASE_URL
  if (serverUrl) return opened(await databaseOnServer(serverUrl, 'template0'))
  return reusable(await openWithoutTables())
}

/** Like testDatabase, but not open; the embedded one is stored on disk, as in production. */
export async function testDatabaseSettings(): Promise<TestDatabaseSettings> {
  const serverUrl = process.env.TEST_DATABASE_URL
  if (serverUrl) return databaseOnServer(serverUrl, await postgresTemplate(serverUrl))
  const { dataDir, [Symbol.asyncDispose]: remove } = await testDataDir()
  return { settings: { dataDir }, [Symbol.asyncDispose]: remove }
}

/** Creates a data directory with a migrated, empty embedded database that is not open. */
export async function testDataDir() {
  const directory = await temporaryDirectory()
  // Copying a thousand small files synchronously takes a third of the processor time of `cp`.
  cpSync(await embeddedFolder(), directory.dataDir, { recursive: true })
  return directory
}

/** Creates a directory that is removed with the test. */
export async function temporaryDirectory() {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'pitboard-test-'))
  return {
    dataDir,
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }),
  }
}

/** Closing `open` returns it to its pool. */
async function reusable(open: Database): Promise<TestDatabase> {
  const { dataDir, [Symbol.asyncDispose]: remove } = await temporaryDirectory()
  return {
    open,
    settings: { dataDir },
    async [Symbol.asyncDispose]() {
      await open.close()
      await remove()
    },
  }
}

async function opened(prepared: TestDatabaseSettings): Promise<TestDatabase> {
  const { settings, [Symbol.asyncDispose]: drop } = prepared
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

async function databaseOnServer(
  serverUrl: string,
  template: string,
): Promise<TestDatabaseSettings> {
  const name = newName()
  await administer(serverUrl, `create database ${name} template ${template}`)
  const { dataDir, [Symbol.asyncDispose]: remove } = await temporaryDirectory()
  return {
    settings: { dataDir, databaseUrl: databaseAt(serverUrl, name) },
    async [Symbol.asyncDispose]() {
      await administer(serverUrl, `drop database ${name} with (force)`)
      await remove()
    },
  }
}
