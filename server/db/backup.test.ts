import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory, testDataDir } from '#testing/database.ts'
import { backUp, startBackups } from './backup.ts'
import type { Database } from './database.ts'
import { openEmbedded } from './embedded/embedded.ts'

// On the second engine there is nothing of this.
describe.runIf(process.env.TEST_DATABASE_URL === undefined)('backups', () => {
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
