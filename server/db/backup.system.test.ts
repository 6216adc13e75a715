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
import { temporaryDirectory, testDataDir } from '#testing/database.ts'
import { backUp, startBackups } from './backup.ts'
import type { Database } from './database.ts'
import { copyEmbedded } from './embedded/copyEmbedded.ts'
import { openEmbedded } from './embedded/embedded.ts'

/** Folders that a copy holds without what is in them: their names are in the folder that is synced. */
const emptyInACopy = /^db\/pg_(replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)$/

// On the second engine there is nothing of this.
describe.runIf(!process.env.TEST_DATABASE_URL)('backups', () => {
  test('a copy made amid writes can be started on, and has all that was written before', {
    timeout: 60_000,
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
    // None of them waited for the whole copy.
    expect(written).toBeGreaterThan(5)
    const { rows } = await sql`select slot_name from pg_replication_slots`.execute(database.db)
    expect(rows).toEqual([])
    await database.close()

    const [name = ''] = await readdir(target.dataDir)
    expect(name).toMatch(/^pitboard-.*Z$/)
    const copy = join(target.dataDir, name)
    expect(await readFile(join(copy, 'files/team/logo'), 'utf8')).toBe('bytes')
    const restored = await openEmbedded(copy, fail)
    expect(await namesIn(restored)).toContain('before')
    await write(restored, 'after')
    await restored.close()
  })

  test('a copy is on the disk with every file, folder and name', async () => {
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
    // A folder is synced after what is in it, and the one of all copies after the rename.
    for (const inner of expected)
      expect(synced.lastIndexOf(dirname(inner))).toBeGreaterThan(synced.indexOf(inner))
    expect(recorded.paths.slice(-3)).toEqual([
      backupDir,
      dirname(backupDir),
      dirname(dirname(backupDir)),
    ])
    expect(recorded.present.at(-3)).toEqual([name])
  })

  test('a copy holds a whole control file, read while it is written', async () => {
    await using prepared = await testDataDir()
    await using target = await temporaryDirectory()
    const { dataDir } = prepared
    const database = await openEmbedded(dataDir, fail)
    await write(database, 'before')
    await sql`checkpoint`.execute(database.db)
    // The folder as another thread may find it: the control file half written.
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

  test('a day of copies is kept, and nothing else in the folder is touched', async () => {
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

  test('a copy whose end failed does not keep the next one from being made', async () => {
    await using prepared = await testDataDir()
    await using target = await temporaryDirectory()
    const { dataDir } = prepared
    const database = await openEmbedded(dataDir, fail)
    // As after a copy that could neither be finished nor given up.
    await sql`select pg_backup_start('pitboard', true)`.execute(database.db)
    await backUp({ db: database.db, dataDir, backupDir: target.dataDir })
    expect(await readdir(target.dataDir)).toEqual([expect.stringMatching(/^pitboard-.*Z$/)])
    await database.close()
  })

  test('a copy that fails is told of, leaves nothing by half, and queries go on', async () => {
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
    await stop()
    expect(warnings).toHaveLength(1)
    await write(database, 'still here')
    expect(await namesIn(database)).toEqual(['still here'])
    await database.close()
    expect((await readdir(dataDir)).sort()).toEqual(['db', 'taken'])
  })

  test('the newest copy is not made again within the hour', async () => {
    await using prepared = await testDataDir()
    await using target = await temporaryDirectory()
    const backupDir = target.dataDir
    const database = await openEmbedded(prepared.dataDir, fail)
    const settings = { db: database.db, dataDir: prepared.dataDir, backupDir, onWarning: fail }
    await startBackups(settings)()
    const made = await readdir(backupDir)
    expect(made).toHaveLength(1)
    await startBackups(settings)()
    expect(await readdir(backupDir)).toEqual(made)
    await database.close()
  })
})

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

/** Records what this process syncs from now on, in its order, and what lay in it then if it is a folder. */
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
