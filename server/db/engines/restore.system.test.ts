import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory, testDataDir } from '#testing/database/database.ts'
import { backUp } from '../backup/backup.ts'
import { DatabaseRefused } from '../database.ts'
import { migrate } from '../migrate.ts'
import { openEmbedded } from './embedded.ts'
import { restore } from './restore.ts'
import { restoreMarker } from './restoreMarker.ts'

const now = Date.UTC(2026, 10, 21, 18)

describe.runIf(!process.env.TEST_DATABASE_URL)('a restore', () => {
  test('replaces the present data, which is moved aside', async () => {
    await using prepared = await testDataDir()
    await using target = await temporaryDirectory()
    const { dataDir } = prepared
    await mkdir(join(dataDir, 'files'))
    await writeFile(join(dataDir, 'files/logo'), 'old')
    const database = await openEmbedded(dataDir, fail)
    await database.db.insertInto('teams').values({ name: 'Before' }).execute()
    await backUp({ db: database.db, dataDir, backupDir: target.dataDir })
    const [name = ''] = await readdir(target.dataDir)
    const from = join(target.dataDir, name)
    await database.db.insertInto('teams').values({ name: 'After' }).execute()
    await writeFile(join(dataDir, 'files/logo'), 'new')
    await expect(restore({ from, dataDir, now })).rejects.toThrow(`process ${process.pid}`)
    await database.close()

    const aside = ['db', 'files'].map(each => join(dataDir, `${each}.before-2026-11-21T18-00-00Z`))
    expect(await restore({ from, dataDir, now })).toEqual({ aside, cleared: 0 })
    expect((await readdir(dataDir)).sort()).toEqual([
      'db',
      'db.before-2026-11-21T18-00-00Z',
      'files',
      'files.before-2026-11-21T18-00-00Z',
    ])
    expect(await readFile(join(dataDir, 'files/logo'), 'utf8')).toBe('old')
    const restored = await openEmbedded(dataDir, fail)
    expect(await restored.db.selectFrom('teams').select('name').execute()).toEqual([
      { name: 'Before' },
    ])
    await restored.close()
    expect(await readFile(join(aside[1] ?? '', 'logo'), 'utf8')).toBe('new')
  })

  test('clears the screens of active sessions, with higher versions than before', async () => {
    await using prepared = await testDataDir()
    await using target = await temporaryDirectory()
    const { dataDir } = prepared
    const { db, close } = await openEmbedded(dataDir, fail)
    const team = await db
      .insertInto('teams')
      .values({ name: 'Night Owls' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const user = await db
      .insertInto('users')
      .values({ email: 'leo@example.com' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const pit = { message_type: 'Pit' as const, message_version: 7 }
    await db
      .insertInto('sessions')
      .values({ team_id: team.id, user_id: user.id, name: 'Stint 1', ...pit })
      .execute()
    await backUp({ db, dataDir, backupDir: target.dataDir })
    await db.updateTable('sessions').set({ message_version: 900 }).execute()
    await close()

    const [name = ''] = await readdir(target.dataDir)
    const { cleared } = await restore({ from: join(target.dataDir, name), dataDir, now })
    expect(cleared).toBe(1)
    const restored = await openEmbedded(dataDir, fail)
    const session = await restored.db
      .selectFrom('sessions_view')
      .select(['message_type', 'message_version', 'sent_at'])
      .executeTakeFirstOrThrow()
    await restored.close()
    expect(session).toEqual({
      message_type: null,
      message_version: expect.any(Number),
      sent_at: expect.any(Date),
    })
    expect(session.message_version).toBeGreaterThan(900)
  })

  test('of a backup that cannot be opened changes nothing', async () => {
    await using prepared = await testDataDir()
    await using target = await temporaryDirectory()
    const { dataDir } = prepared
    await expect(restore({ from: target.dataDir, dataDir, now })).rejects.toThrow('not a backup')
    await mkdir(join(target.dataDir, 'db'))
    await writeFile(join(target.dataDir, 'db/PG_VERSION'), '18')
    const attempt = restore({ from: target.dataDir, dataDir, now })
    await expect(attempt).rejects.toThrow('Nothing was changed')
    const database = await openEmbedded(dataDir, fail)
    await expect(database.ping()).resolves.toBeUndefined()
    await database.close()
  })

  test('of a backup from a build before 1.0.0 changes nothing', async () => {
    await using prepared = await testDataDir()
    await using target = await temporaryDirectory()
    const { dataDir } = prepared
    const database = await openEmbedded(dataDir, fail)
    await database.db.insertInto('teams').values({ name: 'Night Owls' }).execute()
    await sql`update kysely_migration set name = 'old_' || name`.execute(database.db)
    await backUp({ db: database.db, dataDir, backupDir: target.dataDir })
    await sql`update kysely_migration set name = substr(name, 5)`.execute(database.db)
    await database.close()

    const [name = ''] = await readdir(target.dataDir)
    const attempt = restore({ from: join(target.dataDir, name), dataDir, now })
    await expect(attempt).rejects.toThrow('from a build of Pitboard before 1.0.0')
    const unchanged = await openEmbedded(dataDir, fail)
    await migrate(unchanged.db)
    expect(await unchanged.db.selectFrom('teams').select('name').execute()).toEqual([
      { name: 'Night Owls' },
    ])
    await unchanged.close()
  })

  test('that was interrupted prevents the server from starting', async () => {
    await using directory = await temporaryDirectory()
    await writeFile(restoreMarker(directory.dataDir), '')
    await expect(openEmbedded(directory.dataDir, fail)).rejects.toThrow(DatabaseRefused)
  })
})

function fail(error: unknown): never {
  throw error
}
