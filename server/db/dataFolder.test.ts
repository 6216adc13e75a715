import { chmod, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '#testing/database/database.ts'
import { restrictToOwner } from './dataFolder.ts'

test('data folders open to other users are closed, or logged', async () => {
  await using directory = await temporaryDirectory()
  const { dataDir } = directory
  for (const name of ['db', 'files', 'notes']) await mkdir(join(dataDir, name))
  for (const name of ['.', 'db', 'files', 'notes']) await chmod(join(dataDir, name), 0o755)
  const warnings: unknown[] = []
  const log = { warn: (...logged: unknown[]) => void warnings.push(logged[1]) }

  await restrictToOwner(dataDir, log)
  const modes = ['db', 'files', 'notes', '.'].map(async name =>
    ((await stat(join(dataDir, name))).mode & 0o777).toString(8),
  )
  expect(await Promise.all(modes)).toEqual(['700', '700', '755', '755'])
  expect(warnings).toEqual(['other users of this machine can list DATA_DIR: chmod 700 it'])

  await chmod(dataDir, 0o700)
  await restrictToOwner(dataDir, log)
  await restrictToOwner(join(dataDir, 'missing'), log)
  expect(warnings).toHaveLength(1)
})
