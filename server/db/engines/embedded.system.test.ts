import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { programArguments } from '#testing/bundleThreads.ts'
import { temporaryDirectory, testDataDir } from '#testing/database/database.ts'
import { patience } from '#testing/patience.ts'
import { quickStart } from '#testing/quickStart.ts'
import { type Database, DatabaseRefused } from '../database.ts'
import { migrate } from '../migrate.ts'
import { openEmbedded } from './embedded.ts'

const writer = fileURLToPath(
  new URL('../../../testing/database/databaseWriter.ts', import.meta.url),
)
const kills = 4

// These tests need the embedded database.
describe.runIf(!process.env.TEST_DATABASE_URL)('the embedded database', () => {
  test('every acknowledged write survives kill -9, and no write is partial', {
    timeout: 120_000 * patience,
  }, async () => {
    await using prepared = await testDataDir()
    let acknowledged = -1
    for (let kill = 0; kill < kills; kill++) {
      const writer = await startWriter(prepared.dataDir, acknowledged + 1)
      const killAfter = acknowledged + 1 + Math.floor(Math.random() * 80)
      for await (const line of createInterface({ input: writer.stdout! })) {
        acknowledged = Number(line)
        if (acknowledged === killAfter) writer.kill('SIGKILL')
      }
      expect(writer.signalCode ?? (await once(writer, 'exit'))[1]).toBe('SIGKILL')
      const database = await openEmbedded(prepared.dataDir, fail)
      const stored = await numbersOf(database)
      await database.close()
      expect(stored.a).toEqual(expect.arrayContaining(upTo(acknowledged)))
      expect(stored.b).toEqual(stored.a)
      // It may have stored one more row than it acknowledged.
      acknowledged = Math.max(...stored.a)
    }
    expect(acknowledged).toBeGreaterThanOrEqual(kills - 1)
  })

  test("a second process is refused with the directory and the first process's pid", {
    timeout: 60_000 * patience,
  }, async () => {
    await using prepared = await testDataDir()
    const writer = await startWriter(prepared.dataDir, 0)
    try {
      await once(writer.stdout!, 'data')
      const second = openEmbedded(prepared.dataDir, fail)
      await expect(second).rejects.toThrow(DatabaseRefused)
      await expect(second).rejects.toThrow(
        `The database in ${path.join(prepared.dataDir, 'db')} is in use by process ${writer.pid}.`,
      )
    } finally {
      writer.kill('SIGKILL')
      await once(writer, 'close')
    }
    const after = await openEmbedded(prepared.dataDir, fail)
    await after.close()
  })

  test('a process cannot open a directory twice, but again after closing it', async () => {
    await using prepared = await testDataDir()
    const first = await openEmbedded(prepared.dataDir, fail)
    await expect(openEmbedded(prepared.dataDir, fail)).rejects.toThrow(`process ${process.pid}`)
    await first.close()
    expect(await readdir(prepared.dataDir)).toEqual(['db'])
    const second = await openEmbedded(prepared.dataDir, fail)
    await second.close()
  })

  test('an interrupted first start begins again', { timeout: 60_000 * patience }, async () => {
    await using prepared = await temporaryDirectory()
    await mkdir(path.join(prepared.dataDir, 'db.making/base'), { recursive: true })
    const database = await openEmbedded(prepared.dataDir, fail)
    await migrate(database.db)
    expect(await database.db.selectFrom('teams').selectAll().execute()).toEqual([])
    await database.close()
    expect(existsSync(path.join(prepared.dataDir, 'db.making'))).toBe(false)
  })

  test('an empty postmaster.pid does not prevent opening', async () => {
    await using prepared = await testDataDir()
    await writeFile(path.join(prepared.dataDir, 'db/postmaster.pid'), '')
    const database = await openEmbedded(prepared.dataDir, fail)
    await expect(database.ping()).resolves.toBeUndefined()
    await database.close()
  })

  test('a directory that cannot be created is an error and leaves no lock', async () => {
    await using directory = await temporaryDirectory()
    const file = path.join(directory.dataDir, 'file')
    await writeFile(file, '')
    await expect(openEmbedded(file, fail)).rejects.toThrow(/EEXIST|ENOTDIR/)
    expect(await readdir(directory.dataDir)).toEqual(['file'])
  })

  test('it runs with the configured memory and log size, and syncs each commit', async () => {
    await using prepared = await testDataDir()
    const database = await openEmbedded(prepared.dataDir, fail)
    const { rows } = await sql`
    select current_setting('shared_buffers') as buffers, current_setting('max_wal_size') as wal,
      current_setting('fsync') as fsync, current_setting('wal_sync_method') as method`.execute(
      database.db,
    )
    expect(rows).toEqual([{ buffers: '32MB', wal: '64MB', fsync: 'on', method: 'fsync' }])
    await database.close()
  })

  test('a loop of awaited queries does not starve timers and sockets', async () => {
    await using prepared = await testDataDir()
    const database = await openEmbedded(prepared.dataDir, fail)
    let turns = 0
    const ticking = setInterval(() => turns++, 1)
    for (let n = 0; n < 100; n++) await sql`select ${n}::int`.execute(database.db)
    clearInterval(ticking)
    expect(turns).toBeGreaterThan(10)
    await database.close()
  })

  test('closing waits for running queries and rejects later ones', async () => {
    await using prepared = await testDataDir()
    const database = await openEmbedded(prepared.dataDir, fail)
    const { db } = database
    let closing: Promise<void> | undefined
    const running = db.transaction().execute(async trx => {
      await trx.insertInto('teams').values({ name: 'Last' }).execute()
      closing = database.close()
      return trx.selectFrom('teams').select('name').execute()
    })
    expect(await running).toEqual([{ name: 'Last' }])
    await closing
    await expect(db.selectFrom('teams').selectAll().execute()).rejects.toThrow(/closed|destroyed/)
  })
})

async function startWriter(dataDir: string, first: number): Promise<ChildProcess> {
  const args = [...quickStart, ...(await programArguments(writer)), dataDir, String(first)]
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}

async function numbersOf({ db }: Database) {
  const teams = await db.selectFrom('teams').select('name').execute()
  const of = (letter: string) =>
    teams
      .filter(team => team.name.endsWith(letter))
      .map(team => Number.parseInt(team.name, 10))
      .sort((one, two) => one - two)
  return { a: of('a'), b: of('b') }
}

function upTo(last: number) {
  return Array.from({ length: last + 1 }, (_, n) => n)
}

function fail(error: unknown): never {
  throw error
}
