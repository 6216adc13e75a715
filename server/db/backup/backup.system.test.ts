import { readdirSync, readlinkSync } from 'node:fs'
import {
  cp,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory, testDataDir } from '#testing/database/database.ts'
import { patience } from '#testing/patience.ts'
import type { Database } from '../database.ts'
import { copyEmbedded } from '../engines/copyEmbedded.ts'
import { openEmbedded } from '../engines/embedded.ts'
import { backUp, startBackups } from './backup.ts'

/** Folders that a copy contains empty. Syncing their parent folder persists their names. */
const emptyInACopy = /^db\/pg_(replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)$/

// Backups exist only for the embedded database.
describe.runIf(!process.env.TEST_DATABASE_URL)('backups', () => {
  test('a copy made during writes can be started and has all earlier writes', {
    timeout: 60_000 * patience,
  }, async () => {
    await using prepared = await testDataDir()
    await using target = await temporaryDirectory()
    const { dataDir } = prepared
    await mkdir(join(dataDir, 'files/team'), { recursive: true })
    await writeFile(join(dataDir, 'files/team/logo'), 'bytes')
    const database = await openEmbedded(dataDir, fail)
    await write(database, 'before')
    let isCopying = true
    const copied = backUp({ db: database.db, dataDir, backupDir: target.dataDir }).finally(() => {
      isCopying = false
    })
    let written = 0
    for (; isCopying; written++) await write(database, `meanwhile ${written}`)
    await copied
    // No write waited for the whole copy.
    expect(written).toBeGreaterThan(5)
    const { rows } = await sql`select slot_name from pg_replication_slots`.execute(database.db)
    expect(rows).toEqual([])
    await database.close()

    const [name = ''] = await readdir(target.dataDir)
    expect(name).toMatch(copyPattern)
    const copy = join(target.dataDir, name)
    expect(await readFile(join(copy, 'files/team/logo'), 'utf8')).toBe('bytes')
    const restored = await openEmbedded(copy, fail)
    expect(await namesIn(restored)).toContain('before')
    await write(restored, 'after')
    await restored.close()
  })

  test('every file, folder and name of a copy is synced to the disk', async () => {
    await using prepared = await testDataDir()
    await using target = await temporaryDirectory()
    const { dataDir } = prepared
    const backupDir = join(target.dataDir, 'new/backups')
    await mkdir(join(dataDir, 'files/team'), { recursive: true })
    await writeFile(join(dataDir, 'files/team/logo'), 'bytes')
    const database = await openEmbedded(dataDir, fail)
    using recorded = await recordSyncs()
    await backUp({ db: database.db, dataDir, backupDir })
    await database.close()

    const [name = ''] = await readdir(backupDir)
    const copied = await readdir(join(backupDir, name), { recursive: true })
    expect(copied).toContain('db/backup_label')
    expect(copied).toContain('files/team/logo')
    const empty = copied.filter(each => emptyInACopy.test(each))
    const expected = copied.filter(each => !empty.includes(each))
    const synced = recorded.paths.map(
      each => relative(join(backupDir, `${name}.making`), each) || '.',
    )
    expect(expected.filter(each => !synced.includes(each))).toEqual([])
    // A folder is synced after its content, and the folder of all copies after the rename.
    for (const inner of expected)
      expect(synced.lastIndexOf(dirname(inner))).toBeGreaterThan(synced.indexOf(inner))
    expect(recorded.paths.slice(-3)).toEqual([
      backupDir,
      dirname(backupDir),
      dirname(dirname(backupDir)),
    ])
    expect(recorded.present.at(-3)).toEqual([name])
  })

  test('the control file in a copy is whole even if it is read during a write', async () => {
    await using prepared = await testDataDir()
    await using target = await temporaryDirectory()
    const { dataDir } = prepared
    const database = await openEmbedded(dataDir, fail)
    await write(database, 'before')
    await sql`checkpoint`.execute(database.db)
    // The folder as seen by another thread: with a half-written control file.
    const seen = join(target.dataDir, 'seen')
    await cp(join(dataDir, 'db'), seen, { recursive: true })
    await rm(join(seen, 'pg_wal'), { recursive: true })
    await symlink(join(dataDir, 'db/pg_wal'), join(seen, 'pg_wal'))
    await writeFile(join(seen, 'global/pg_control'), Buffer.alloc(8192, 1))
    await copyEmbedded(database.db, seen, join(target.dataDir, 'db'))
    await database.close()
    const restored = await openEmbedded(target.dataDir, fail)
    expect(await namesIn(restored)).toEqual(['before'])
    await restored.close()
  })

  test('the last 24 copies are kept, and other content of the folder is not touched', async () => {
    await using prepared = await testDataDir()
    await using target = await temporaryDirectory()
    const backupDir = target.dataDir
    const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))
    for (const hour of hours) await mkdir(join(backupDir, `pitboard-2026-01-01T${hour}-00-00Z`))
    await mkdir(join(backupDir, 'pitboard-notes'))
    const database = await openEmbedded(prepared.dataDir, fail)
    await backUp({ db: database.db, dataDir: prepared.dataDir, backupDir })
    await database.close()
    const names = await readdir(backupDir)
    expect(names).toHaveLength(25)
    expect(names).toContain('pitboard-notes')
    expect(names).not.toContain('pitboard-2026-01-01T00-00-00Z')
  })

  test('a copy that failed at its end does not prevent the next one', async () => {
    await using prepared = await testDataDir()
    await using target = await temporaryDirectory()
    const { dataDir } = prepared
    const database = await openEmbedded(dataDir, fail)
    // The state after a copy that was neither finished nor aborted.
    await sql`select pg_backup_start('pitboard', true)`.execute(database.db)
    await backUp({ db: database.db, dataDir, backupDir: target.dataDir })
    expect(await readdir(target.dataDir)).toEqual([expect.stringMatching(copyPattern)])
    await database.close()
  })

  test('a failing copy is reported and leaves no partial copy, and queries continue', async () => {
    await using prepared = await testDataDir()
    const { dataDir } = prepared
    const database = await openEmbedded(dataDir, fail)
    const warnings: unknown[] = []
    await writeFile(join(dataDir, 'taken'), '')
    const stop = startBackups({
      db: database.db,
      dataDir,
      backupDir: join(dataDir, 'taken'),
      onWarning: error => warnings.push(error),
    })
    await expect.poll(() => warnings).toHaveLength(1)
    await stop()
    expect(warnings).toHaveLength(1)
    await write(database, 'still here')
    expect(await namesIn(database)).toEqual(['still here'])
    await database.close()
    expect((await readdir(dataDir)).sort()).toEqual(['db', 'taken'])
  })

  test('no new copy is made within an hour of the newest', async () => {
    await using prepared = await testDataDir()
    await using target = await temporaryDirectory()
    const backupDir = target.dataDir
    const database = await openEmbedded(prepared.dataDir, fail)
    const settings = { db: database.db, dataDir: prepared.dataDir, backupDir, onWarning: fail }
    await madeBy(startBackups(settings), backupDir)
    const made = await readdir(backupDir)
    expect(made).toHaveLength(1)
    await startBackups(settings)()
    expect(await readdir(backupDir)).toEqual(made)
    await database.close()
  })

  test('copies from the future delay no other copy, and are removed first', async () => {
    await using prepared = await testDataDir()
    await using target = await temporaryDirectory()
    const backupDir = target.dataDir
    const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))
    const future = hours.map(hour => `pitboard-2099-01-01T${hour}-00-00Z`)
    for (const name of future) await mkdir(join(backupDir, name))
    const database = await openEmbedded(prepared.dataDir, fail)
    const settings = { db: database.db, dataDir: prepared.dataDir, backupDir, onWarning: fail }
    const stop = startBackups(settings)
    await expect.poll(() => readdir(backupDir)).not.toContain(future[0])
    await stop()
    const [made, ...others] = (await readdir(backupDir)).sort()
    expect(made).toMatch(/^pitboard-20[2-8].*Z$/)
    expect(others).toEqual(future.slice(1))
    await startBackups(settings)()
    expect(await readdir(backupDir)).toHaveLength(24)
    await database.close()
  })

  test('a partial copy of a killed process is removed', async () => {
    await using prepared = await testDataDir()
    await using target = await temporaryDirectory()
    const backupDir = target.dataDir
    await mkdir(join(backupDir, 'pitboard-2026-01-01T00-00-00Z.making/db'), { recursive: true })
    await mkdir(join(backupDir, 'notes.making'))
    const database = await openEmbedded(prepared.dataDir, fail)
    const settings = { db: database.db, dataDir: prepared.dataDir, backupDir, onWarning: fail }
    await madeBy(startBackups(settings), backupDir)
    await database.close()
    expect(await readdir(backupDir)).toEqual(['notes.making', expect.stringMatching(copyPattern)])
  })

  test('stopping aborts a copy, without a warning or a partial copy', async () => {
    await using prepared = await testDataDir()
    await using target = await temporaryDirectory()
    const { dataDir } = prepared
    const backupDir = join(target.dataDir, 'backups')
    const database = await openEmbedded(dataDir, fail)
    const stop = startBackups({ db: database.db, dataDir, backupDir, onWarning: fail })
    // Its first file is there.
    await expect.poll(() => filesIn(backupDir), { interval: 1 }).not.toEqual([])
    await stop()
    expect(await readdir(backupDir)).toEqual([])
    const { rows } = await sql`select slot_name from pg_replication_slots`.execute(database.db)
    expect(rows).toEqual([])
    await database.close()
  })
})

const copyPattern = /^pitboard-.*Z$/

/** Waits until these backups have made a copy, then stops them. */
async function madeBy(stop: () => Promise<void>, backupDir: string) {
  await expect.poll(() => readdir(backupDir)).toContainEqual(expect.stringMatching(copyPattern))
  await stop()
}

/** The files in the folders of a folder, or none if it does not exist. */
async function filesIn(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter(entry => entry.isFile()).map(({ name }) => name)
}

async function write({ db }: Database, name: string) {
  await db.insertInto('teams').values({ name }).execute()
}

async function namesIn({ db }: Database) {
  const teams = await db.selectFrom('teams').select('name').execute()
  return teams.map(({ name }) => name)
}

function fail(error: unknown): never {
  throw error
}

/** Records every later sync of this process in order, and the entries of a folder at that time. */
async function recordSyncs() {
  const handle = await open(import.meta.filename)
  const prototype: FileHandle = Object.getPrototypeOf(handle)
  await handle.close()
  const { sync } = prototype
  const paths: string[] = []
  const present: string[][] = []
  prototype.sync = async function (this: FileHandle) {
    const file = readlinkSync(`/proc/self/fd/${this.fd}`)
    paths.push(file)
    present.push((await this.stat()).isDirectory() ? readdirSync(file) : [])
    return sync.call(this)
  }
  return {
    paths,
    present,
    [Symbol.dispose]() {
      prototype.sync = sync
    },
  }
}
