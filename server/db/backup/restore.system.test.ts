import { spawn } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migratedDataDir, newDataDir, startBuiltServer } from '#testing/builtServer.ts'
import { temporaryDirectory } from '#testing/database/database.ts'
import { patience } from '#testing/patience.ts'
import { createClient } from '#testing/people/client.ts'
import { createPerson } from '#testing/people/person.ts'
import { quickStart } from '#testing/quickStart.ts'

/** The program that `npm run restore` starts after the build. */
const program = join(import.meta.dirname, '../../../dist/server/restore.js')
const waitOptions = { timeout: 60_000 * patience, interval: 100 }

test('the restore command restores a backup into an empty folder', {
  timeout: 180_000 * patience,
}, async () => {
  await using stack = cleanups()
  const dataDir = await ownFolder(stack, await migratedDataDir())
  const backupDir = await ownFolder(stack, await newDataDir())
  const fresh = join(await ownFolder(stack, await newDataDir()), 'restored')

  const before = await startBuiltServer({ dataDir })
  stack.defer(before.stop)
  const ana = await createPerson(before.url, before.mails, {
    firstName: 'Ana',
    lastName: 'Lindqvist',
    email: 'ana@example.com',
  })
  await ana.call.teams.create({ name: 'Night Owls' })
  await before.stop()

  const server = await startBuiltServer({ dataDir, settings: { BACKUP_DIR: backupDir } })
  stack.defer(server.stop)
  await expect.poll(() => copiesIn(backupDir), waitOptions).toHaveLength(1)
  const backup = join(backupDir, (await copiesIn(backupDir))[0] ?? '')
  await createClient(server.url, ana.jar).teams.create({ name: 'After' })
  expect(await restore([backup], { DATA_DIR: dataDir })).toEqual({
    code: 1,
    errors: `The database in ${dataDir}/db is in use by process ${server.pid}. Stop that process first, or set another DATA_DIR.\n`,
    output: '',
  })
  await server.stop()

  expect(await restore([backup], { DATA_DIR: fresh })).toEqual({
    code: 0,
    errors: '',
    output: `Restored ${backup} into ${fresh}.\n`,
  })
  expect(await teamsIn(stack, fresh, ana.jar)).toEqual(['Night Owls'])

  const { code, output } = await restore([backup], { DATA_DIR: dataDir })
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(
      /The previous data was moved to .*\/db\.before-.*Z: delete it once everything works\./,
    ),
  ])
})

test('the restore command refuses an invalid backup with one sentence', async () => {
  await using folder = await temporaryDirectory()
  const dataDir = join(folder.dataDir, 'data')
  const refusals = [
    [[], {}, 'Name the folder of one backup: npm run restore -- FOLDER'],
    [[folder.dataDir], {}, `${folder.dataDir} is not a backup: it holds no database.`],
    [
      [folder.dataDir],
      { DATABASE_URL: 'postgres://localhost/pitboard' },
      'DATABASE_URL is set: restore that database with the tools of PostgreSQL.',
    ],
  ] as const
  for (const [args, settings, sentence] of refusals) {
    const refused = { code: 1, errors: `${sentence}\n`, output: '' }
    expect(await restore(args, { DATA_DIR: dataDir, ...settings })).toEqual(refused)
  }
  expect(await readdir(folder.dataDir)).toEqual([])
})

type Cleanups = ReturnType<typeof cleanups>

/** Runs deferred cleanups at the end of the test, in reverse order. */
function cleanups() {
  const all: (() => Promise<void>)[] = []
  return {
    defer: (cleanup: () => Promise<void>) => void all.unshift(cleanup),
    async [Symbol.asyncDispose]() {
      for (const cleanup of all) await cleanup()
    },
  }
}

/** Runs the command with only these settings. */
async function restore(args: readonly string[], settings: Record<string, string>) {
  const child = spawn(process.execPath, [...quickStart, program, ...args], {
    env: { NODE_ENV: 'production', DATABASE_URL: '', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, errors] = ['', '']
  child.stdout.on('data', text => {
    output += String(text)
  })
  child.stderr.on('data', text => {
    errors += String(text)
  })
  const code = await new Promise(resolve => child.once('close', resolve))
  return { code, output, errors }
}

async function copiesIn(backupDir: string) {
  return (await readdir(backupDir)).filter(name => name.endsWith('Z'))
}

async function teamsIn(stack: Cleanups, dataDir: string, jar: Parameters<typeof createClient>[1]) {
  const server = await startBuiltServer({ dataDir })
  stack.defer(server.stop)
  const teams = await createClient(server.url, jar).teams.list()
  await server.stop()
  return teams.map(({ name }) => name)
}

async function ownFolder(stack: Cleanups, folder: string) {
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}
