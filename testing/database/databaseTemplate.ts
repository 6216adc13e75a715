import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { embeddedDatabase } from '#server/db/engines/embedded.ts'
import { openDatabase } from '#server/db/engines/open.ts'
import { embeddedOptions } from '#server/db/engines/openPglite.ts'
import { migrate } from '#server/db/migrate.ts'
import { cachedFolder, fingerprint } from '../fingerprint.ts'
import { databaseAt } from './databaseServer.ts'
import { pgliteEngine } from './pgliteEngine.ts'

/** Advisory lock held while one test process creates the template. */
const templateLock = 7_041_932

const tarName = 'data.tar'

let embedded: Promise<Blob> | undefined
let folder: Promise<string> | undefined
let onServer: Promise<string> | undefined

/** Returns the files of a migrated embedded database, for PGlite's loadDataDir. */
export function embeddedTemplate(): Promise<Blob> {
  return (embedded ??= readOrMake())
}

/** Returns the folder of a closed, migrated embedded database. Copying it is faster than loading `embeddedTemplate`. */
export function embeddedFolder(): Promise<string> {
  return (folder ??= findOrMakeFolder())
}

/** Returns the name of a migrated database on that server, the template of test databases. */
export function postgresTemplate(serverUrl: string): Promise<string> {
  return (onServer ??= makeOnServer(serverUrl))
}

async function readOrMake(): Promise<Blob> {
  const found = await cachedFolder(`embedded-tar-${await fingerprint()}`, makeEmbedded)
  return new Blob([await readFile(path.join(found, tarName))])
}

async function makeEmbedded(temporary: string) {
  // Small WAL segments reduce the template by a quarter, and with it the time each test needs to start.
  const options = { ...embeddedOptions, initDbStartParams: ['--wal-segsize=1'] }
  const pglite = await PGlite.create(options)
  const database = embeddedDatabase(pgliteEngine(pglite))
  await migrate(database.db)
  const template = await pglite.dumpDataDir('none')
  await database.close()
  await writeFile(path.join(temporary, tarName), Buffer.from(await template.arrayBuffer()))
}

async function findOrMakeFolder(): Promise<string> {
  return cachedFolder(`embedded-${await fingerprint()}`, async temporary => {
    const options = { ...embeddedOptions, loadDataDir: await embeddedTemplate() }
    const pglite = await PGlite.create(path.join(temporary, 'db'), options)
    await pglite.close()
  })
}

async function makeOnServer(serverUrl: string): Promise<string> {
  const name = `pitboard_template_${await fingerprint()}`
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [templateLock])
    const ready = await client.query('select 1 from pg_database where datname = $1', [name])
    if (ready.rowCount === 0) await makeMigrated(client, serverUrl, name)
    return name
  } finally {
    await client.end()
  }
}

async function makeMigrated(client: pg.Client, serverUrl: string, name: string) {
  const making = `${name}_making`
  await client.query(`drop database if exists ${making} with (force)`)
  await client.query(`create database ${making}`)
  const database = await openDatabase({ databaseUrl: databaseAt(serverUrl, making), dataDir: '' })
  await migrate(database.db)
  await database.close()
  await client.query(`alter database ${making} rename to ${name}`)
}
