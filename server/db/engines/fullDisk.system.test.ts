import { randomUUID } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { createLog } from '#server/log.ts'
import { Recorder } from '#server/telemetry/recorder.ts'
import { testDataDir } from '#testing/database/database.ts'
import { patience } from '#testing/patience.ts'
import type { Database } from '../database.ts'
import { isStorageFull } from '../errors.ts'
import { openEmbedded } from './embedded.ts'
import type { EmbeddedEngine } from './engine.ts'
import { openRecovering } from './recoveringEngine.ts'
import { DatabaseDamaged, openInThread } from './threadEngine.ts'

const waitMs = { timeout: 30_000 * patience }

test('a nearly full disk rejects writes, allows reads, and fixes stay queued', async () => {
  await using scene = await openOnDisk()
  const { database, disk } = scene
  const recorder = new Recorder(database, createLog('silent'), systemClock)
  disk.fill('nearlyFull')
  await expect.poll(() => refusalOf(database), waitMs).toSatisfy(isStorageFull)
  expect(await countTeams(database)).toBe(scene.stored())
  recorder.record(scene.session, { at: Date.now(), la: 50.4, lo: 5.9, v: 100, ac: 4 }, Date.now())
  expect(await recorder.flush()).toBe(false)

  disk.makeRoom()
  await expect.poll(() => refusalOf(database), waitMs).toBeUndefined()
  expect(await recorder.flush()).toBe(true)
  await recorder.close()
})

test('a disk that fills up during a write loses nothing and recovers by itself', async () => {
  await using scene = await openOnDisk()
  const { database, disk } = scene
  await sql`create table ballast (bytes bytea)`.execute(database.db)
  disk.fill('full')
  // More than fits into the existing log segments.
  const fillLog = sql`insert into ballast
    select decode(repeat('00', 1000) || md5(n::text), 'hex') from generate_series(1, 100000) n`
  const error: unknown = await database.db
    .transaction()
    .execute(async trx => {
      await trx.insertInto('teams').values({ name: 'half' }).execute()
      await fillLog.execute(trx).catch(() => undefined)
      // Must not be stored by itself in a later generation.
      await trx.insertInto('teams').values({ name: 'half' }).execute()
    })
    .catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(Error)
  await expect.poll(() => refusalOf(database), waitMs).toSatisfy(isStorageFull)
  expect(scene.warnings).toEqual([expect.any(DatabaseDamaged)])

  disk.makeRoom()
  await expect.poll(() => refusalOf(database), waitMs).toBeUndefined()
  const { rows } = await sql`select 1 from teams where name = 'half'`.execute(database.db)
  expect(rows).toEqual([])
  expect(await countTeams(database)).toBe(scene.stored())
})

test('a failure to read the free disk space ends nothing', async () => {
  await using directory = await testDataDir()
  const folder = join(directory.dataDir, 'db')
  const away = join(directory.dataDir, 'away')
  const warnings: { code?: string }[] = []
  const full = new DatabaseDamaged()
  let damage: (reason: Error) => void = () => {}
  const stopped: EmbeddedEngine = {
    run: () => Promise.reject(full),
    close: async () => {},
    generation: 0,
    failure: new Promise(resolve => {
      damage = resolve
    }),
  }
  const engines = [() => stopped, () => openInThread(folder)]
  const engine = await openRecovering(
    folder,
    error => warnings.push(error as { code?: string }),
    async () => engines.shift()?.() ?? Promise.reject(new Error('opened once more')),
  )
  await rename(folder, away)
  damage(full)
  await expect.poll(() => warnings, waitMs).toMatchObject([full, { code: 'ENOENT' }])
  await rename(away, folder)
  const answer = () => engine.run('select 1 as one', []).catch((error: unknown) => error)
  await expect.poll(answer, waitMs).toMatchObject({ rows: [{ one: 1 }] })
  await engine.close()
})

/** Opens a database on a disk that the test can fill; `stored` counts the acknowledged rows. */
async function openOnDisk() {
  const directory = await testDataDir()
  const disk = fullDiskThread(join(directory.dataDir, 'full'))
  const warnings: unknown[] = []
  const database = await openEmbedded(
    directory.dataDir,
    error => warnings.push(error),
    async folder => {
      await expect.poll(() => disk.hasRoom(), waitMs).toBe(true)
      return openInThread(folder, disk.start)
    },
  )
  const [user, team, session] = [randomUUID(), randomUUID(), randomUUID()]
  await sql`insert into users (id, email) values (${user}, 'leo@example.com')`.execute(database.db)
  await sql`insert into teams (id, name) values (${team}, 'Owls')`.execute(database.db)
  await sql`insert into sessions (id, team_id, user_id, name)
    values (${session}, ${team}, ${user}, 'Stint 1')`.execute(database.db)
  stored.set(database, 1)
  return {
    database,
    disk,
    warnings,
    session,
    stored: () => stored.get(database),
    async [Symbol.asyncDispose]() {
      await database.close()
      await directory[Symbol.asyncDispose]()
    },
  }
}

const stored = new WeakMap<Database, number>()

/** Writes a row and counts it once it is acknowledged. Returns the error that refused it. */
async function refusalOf(database: Database): Promise<unknown> {
  try {
    await database.db.insertInto('teams').values({ name: 'Row' }).execute()
    stored.set(database, (stored.get(database) ?? 0) + 1)
    return undefined
  } catch (error) {
    return error
  }
}

async function countTeams({ db }: Database) {
  const { rows } = await sql<{ count: number }>`select count(*) as count from teams`.execute(db)
  return rows[0]?.count
}

/**
 * A database thread with a simulated full disk: `nearlyFull` reports no free space but accepts writes; `full`
 * fails writes that need a new segment of the write-ahead log, as if another program had used the rest.
 */
function fullDiskThread(control: string) {
  return {
    start: (directory: string) =>
      new Worker(new URL('../../../testing/database/fullDiskEntry.mjs', import.meta.url), {
        execArgv: [],
        workerData: directory,
        env: { ...process.env, FULL_DISK_CONTROL: control },
      }),
    fill: (how: 'nearlyFull' | 'full') => writeFileSync(control, how),
    hasRoom: () => !existsSync(control),
    makeRoom: () => rmSync(control, { force: true }),
  }
}
